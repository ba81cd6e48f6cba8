/** Replaced in every copy. */
export const version = "0.0.0";
