import type { FieldRepairs } from "../repair/field-repairs.js";

/** Codes of manufacturers and series are short: two ids may become the same one, and a receiver would mix them up. */
export class WrittenCodes {
  /** By code, the id that had it first. */
  private readonly manufacturers = new Map<string, string>();
  private readonly series = new Map<string, string>();

  /** Reports, with scope `ERROR`, an id whose code another one has already; series are those of one manufacturer. */
  check(
    ids: { manufacturerId?: string | undefined; seriesId?: string | undefined },
    codes: { vendor: string; series: string },
    repairs: FieldRepairs,
  ): void {
    const { manufacturerId = "", seriesId = "" } = ids;
    this.note(this.manufacturers, codes.vendor, { field: "manufacturerId", id: manufacturerId }, repairs);
    this.note(this.series, `${codes.vendor} ${codes.series}`, { field: "seriesId", id: seriesId }, repairs);
  }

  private note(
    known: Map<string, string>,
    code: string,
    { field, id }: { field: string; id: string },
    repairs: FieldRepairs,
  ): void {
    const first = known.get(code) ?? id;
    known.set(code, first);
    if (first === id || id === "") return;
    repairs.report(field, id, `its code "${code}" stands for ${JSON.stringify(first)} too`, "ERROR");
  }
}
