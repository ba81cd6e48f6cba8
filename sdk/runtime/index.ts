/** What runs a plugin's routes and services: for hosts and the test kit, outside of the promise of stability. */
export {};
