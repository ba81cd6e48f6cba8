/** Files of an export that its PDF can carry. */
export const embeddableFiles = ["OEX", "OBX", "ORDER-X", "UBL"] as const;
export type EmbeddableFile = (typeof embeddableFiles)[number];

/** Profiles of Order-X that have what an order of configured furniture needs. */
export const orderXProfiles = ["COMFORT", "EXTENDED"] as const;
export type OrderXProfile = (typeof orderXProfiles)[number];

/** What an `order-x.xml` may be to its PDF (Order-X 1.0, 4.1.1). */
export const orderXRelationships = ["Alternative", "Data", "Source"] as const;

/** Addresses that can be the buyer's. */
export const buyers = ["SoldTo", "Branch"] as const;
