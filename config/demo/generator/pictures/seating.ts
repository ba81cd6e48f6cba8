/** Pictures of chairs and sofas. */
import { box, disc, palette, picture, shape, stroke } from "./canvas.js";

const {
  graphite,
  graphiteLight,
  mustard,
  mustardDark,
  oakDark,
  petrol,
  petrolDark,
  petrolLight,
  sage,
  sageDark,
} = palette;

function starBase(): string {
  const castor = (x: number, y: number): string => disc(x, y, 12, graphite);
  return [
    box(248, 330, 16, 62, graphiteLight, 3),
    stroke("M256 388L148 424M256 388L364 424M256 388L216 436M256 388L296 436M256 388V414", graphite, 11),
    castor(148, 434),
    castor(364, 434),
    castor(214, 446),
    castor(298, 446),
  ].join("");
}

function armrests(): string {
  return [
    stroke("M170 318V246M342 318V246", graphite, 10),
    box(146, 234, 50, 14, graphite, 7),
    box(316, 234, 50, 14, graphite, 7),
  ].join("");
}

/** Upholstered task chair. */
export function taskChair(): string {
  return picture(
    { x: 256, y: 448, width: 280 },
    starBase(),
    stroke("M256 330V250", graphite, 14),
    shape("M190 84q66-26 132 0q12 92-8 178q-58 20-116 0q-20-86-8-178z", petrol),
    shape("M206 98q50-18 100 0q6 40 2 76q-52 14-104 0q-4-36 2-76z", petrolLight),
    shape("M166 292q90-22 180 0q14 20 4 40q-94 22-188 0q-10-20 4-40z", petrolDark),
    shape("M166 290q90-22 180 0q10 10 6 20q-96 20-192 0q-4-10 6-20z", petrol),
    armrests(),
  );
}

/** Task chair with a mesh back. */
export function meshChair(): string {
  const lines = Array.from({ length: 11 }, (_, index) => `M196 ${104 + index * 14}h120`).join("");
  const columns = Array.from({ length: 9 }, (_, index) => `M${200 + index * 14} 96v156`).join("");
  return picture(
    { x: 256, y: 448, width: 280 },
    starBase(),
    stroke("M256 330V246", graphite, 14),
    stroke(lines + columns, "#9aa1a8", 2),
    stroke("M186 92q70-24 140 0q10 86-10 168q-60 16-120 0q-20-82-10-168z", graphite, 9),
    stroke("M192 216q64 18 128 0", graphiteLight, 10),
    shape("M166 292q90-22 180 0q14 20 4 40q-94 22-188 0q-10-20 4-40z", "#2c3035"),
    shape("M166 290q90-22 180 0q10 10 6 20q-96 20-192 0q-4-10 6-20z", graphite),
    armrests(),
  );
}

/** Cantilever conference chair. */
export function conferenceChair(): string {
  return picture(
    { x: 262, y: 432, width: 300 },
    stroke("M184 292L168 420H360L344 250", palette.steel, 11),
    stroke("M344 262V232H190", palette.steel, 9),
    shape("M320 88q34-4 40 12l-14 196q-18 10-40 4z", sageDark),
    shape("M312 90q22-4 30 6l-14 192q-14 8-30 4z", sage),
    shape("M160 288q76-14 172 2q8 16-2 26q-90 12-172-2q-6-14 2-26z", sageDark),
    shape("M160 284q76-14 172 2q4 8 2 14q-90 8-176-2q-2-8 2-14z", sage),
    box(196, 222, 116, 13, oakDark, 6),
  );
}

/** Two-seat sofa with a high back. */
export function sofa(): string {
  return picture(
    { x: 256, y: 410, width: 450 },
    stroke("M110 360l-8 44M402 360l8 44", graphite, 9),
    box(84, 148, 344, 190, mustardDark, 26),
    box(98, 160, 154, 124, mustard, 20),
    box(260, 160, 154, 124, mustard, 20),
    box(46, 214, 64, 150, mustardDark, 24),
    box(402, 214, 64, 150, mustardDark, 24),
    box(52, 212, 52, 128, mustard, 22),
    box(408, 212, 52, 128, mustard, 22),
    box(100, 270, 152, 62, "#e3b254", 18),
    box(260, 270, 152, 62, "#e3b254", 18),
    box(92, 326, 328, 40, mustardDark, 12),
    shape("M128 214l62-10 8 62-62 8z", petrol),
  );
}
