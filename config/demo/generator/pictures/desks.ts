/** Pictures of desks and tables. */
import { box, disc, palette, picture, shape, stroke } from "./canvas.js";

const { graphite, graphiteLight, oak, oakDark, oakLight, petrol, steel, white } = palette;

/** Height-adjustable desk with two columns. */
export function sitStandDesk(): string {
  return picture(
    { x: 256, y: 424, width: 400 },
    box(120, 206, 22, 110, graphiteLight, 2),
    box(370, 206, 22, 110, graphiteLight, 2),
    box(116, 300, 30, 108, graphite, 3),
    box(366, 300, 30, 108, graphite, 3),
    shape("M84 408h94l12 14H72z", graphite),
    shape("M334 408h94l12 14H322z", graphite),
    shape("M96 164h320l44 34H52z", oakLight),
    box(52, 198, 408, 13, oakDark, 2),
    stroke("M120 180h180M96 189h260", oak, 2),
    box(330, 211, 44, 7, graphite, 2),
  );
}

/** A wide conference table with a cable well. */
export function conferenceTable(): string {
  return picture(
    { x: 256, y: 396, width: 470 },
    shape("M118 260l-34 132h22l46-132z", graphite),
    shape("M394 260l34 132h-22l-46-132z", graphite),
    box(150, 246, 212, 12, graphiteLight, 3),
    shape("M92 186h328l72 48H20z", oakLight),
    shape("M20 234h472v12H20z", oakDark),
    shape("M256 186v48", oakDark),
    stroke("M256 187v46", oakDark, 2),
    shape("M204 204h104l6 12H198z", graphite),
    stroke("M110 198h76M340 200h80M86 220h90", oak, 2),
  );
}

/** One half of a table top, seen from above. */
export function tableTop(): string {
  return picture(
    { x: 256, y: 348, width: 420 },
    shape("M96 190h320l56 130H40z", oakLight),
    shape("M40 320h432v16H40z", oakDark),
    stroke("M126 206l-30 98M190 200l-12 108M256 204v100M330 200l14 106M392 208l30 92", oak, 3),
    shape("M216 190h80l3 12h-86z", graphite),
  );
}

/** A flip-top power module. */
export function powerModule(): string {
  const socket = (x: number): string =>
    disc(x, 286, 34, graphite) +
    disc(x, 286, 27, "#2a2e33") +
    disc(x - 9, 286, 4, steel) +
    disc(x + 9, 286, 4, steel);
  return picture(
    { x: 256, y: 366, width: 420 },
    box(70, 222, 372, 128, graphiteLight, 14),
    box(82, 234, 348, 104, white, 8),
    shape("M70 222l30-58h312l30 58z", graphite),
    shape("M96 214l22-40h276l22 40z", graphiteLight),
    socket(140),
    socket(226),
    box(292, 262, 44, 16, graphite, 3),
    box(292, 292, 44, 16, graphite, 3),
    box(360, 258, 50, 56, petrol, 6),
    box(372, 270, 26, 32, "#1f4d58", 3),
  );
}

/** A round side table. */
export function sideTable(): string {
  return picture(
    { x: 256, y: 420, width: 250 },
    disc(256, 412, 84, graphite, 17),
    disc(256, 408, 84, graphiteLight, 16),
    box(247, 226, 18, 184, graphite, 4),
    disc(256, 222, 136, oakDark, 34),
    disc(256, 212, 136, oakLight, 34),
    stroke("M170 206h120M200 218h140", oak, 2),
  );
}
