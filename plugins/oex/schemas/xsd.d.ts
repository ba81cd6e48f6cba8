/** Schemas are bundled as text. */
declare module "*.xsd" {
  const text: string;
  export default text;
}
