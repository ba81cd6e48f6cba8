/** Columns of the demo project, with the ids that clients use. */
import type { Column } from "@slipway/sdk";

export const userImage = "cc080d73-88f4-4bfc-8ec1-e7e2ad30739a";
export const articleImage = "73bd68f4-da62-11d8-b9d6-00e081513ada";
export const externalItemNumber = "c962203c-7e83-4a2f-8060-acaa4a06c921";
export const firstAdditionalImage = "7423b6f0-d424-48b3-b75c-9fc5c61992c1";

export const columns: Column[] = [
  { id: articleImage, type: "builtin", name: "Article Image", title: "Article Image" },
  { id: userImage, type: "image", name: "User Image", title: "User Image", fallbackColumnId: articleImage },
  { id: firstAdditionalImage, type: "image", name: "Additional Image 1", title: "Additional Image 1" },
  { id: externalItemNumber, type: "text", name: "External Item Number", title: "Ext. Item No." },
];
