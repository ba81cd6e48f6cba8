/** Pictures of storage, lighting, acoustics and plants. */
import { box, disc, palette, picture, shape, stroke } from "./canvas.js";

const {
  clay,
  graphite,
  graphiteLight,
  leaf,
  leafDark,
  oak,
  oakDark,
  oakLight,
  petrol,
  petrolLight,
  sage,
  sageDark,
} = palette;
const { steel, white, whiteShade } = palette;

/** Pedestal on castors with three drawers. */
export function pedestal(): string {
  const drawer = (y: number, height: number): string =>
    box(166, y, 180, height, white, 3) + box(226, y + 12, 60, 8, steel, 4);
  return picture(
    { x: 256, y: 420, width: 250 },
    disc(180, 410, 12, graphite),
    disc(332, 410, 12, graphite),
    box(158, 130, 196, 272, whiteShade, 6),
    shape("M158 134l22-22h152l22 22z", petrolLight),
    drawer(142, 70),
    drawer(218, 70),
    drawer(294, 100),
    disc(332, 158, 4, graphite),
  );
}

/** Sideboard with sliding doors in oak. */
export function sideboard(): string {
  return picture(
    { x: 256, y: 402, width: 450 },
    box(78, 372, 12, 28, graphite, 2),
    box(422, 372, 12, 28, graphite, 2),
    box(52, 184, 408, 192, white, 4),
    shape("M52 186l26-24h356l26 24z", oakLight),
    box(52, 184, 408, 9, oakDark),
    box(64, 202, 190, 164, oak, 2),
    box(248, 206, 200, 158, oakLight, 2),
    stroke("M82 228h150M82 262h150M82 300h150M82 336h150", oakDark, 1.5),
    stroke("M268 232h160M268 270h160M268 308h160M268 340h160", oak, 1.5),
    box(240, 262, 7, 50, graphite, 3),
    box(256, 262, 7, 50, graphite, 3),
  );
}

/** Desk screen with felt cover. */
export function deskScreen(): string {
  return picture(
    { x: 256, y: 380, width: 430 },
    box(58, 166, 396, 186, sageDark, 20),
    box(64, 170, 384, 174, sage, 18),
    stroke("M64 232h384M64 288h384", sageDark, 2),
    box(104, 338, 46, 36, graphite, 4),
    box(362, 338, 46, 36, graphite, 4),
  );
}

/** Monitor arm with a screen. */
export function monitorArm(): string {
  return picture(
    { x: 220, y: 430, width: 240 },
    disc(172, 424, 58, graphite, 12),
    box(162, 214, 20, 210, graphiteLight, 6),
    stroke("M172 236L268 196L330 232", graphite, 17),
    disc(268, 196, 15, graphiteLight),
    disc(172, 236, 15, graphiteLight),
    box(242, 120, 218, 142, "#23272b", 8),
    box(250, 128, 202, 122, petrol, 4),
    shape("M250 250l90-122h112v122z", petrolLight),
  );
}

/** Task light. */
export function taskLight(): string {
  return picture(
    { x: 236, y: 434, width: 220 },
    shape("M318 196l86 190H206z", "#fdf3d3"),
    disc(196, 428, 66, graphite, 14),
    stroke("M196 420L160 250L262 128L318 160", graphite, 11),
    disc(160, 250, 12, graphiteLight),
    disc(262, 128, 12, graphiteLight),
    shape("M278 166l76-24 28 54q-50 22-92 10z", graphite),
    shape("M290 204q46 12 92-10l-4 10q-44 18-84 8z", "#f7d774"),
  );
}

/** Wall panel of acoustic felt in relief. */
export function acousticPanel(): string {
  const tone = ["#2f6f7e", "#3f8191", "#5b98a6", "#88b4be"];
  const tiles = [0, 1, 2, 3].flatMap((row) =>
    [0, 1, 2, 3].map((column) => {
      const x = 104 + column * 78;
      const y = 84 + row * 78;
      const fill = tone[(row * 3 + column * 2) % tone.length] ?? petrol;
      return box(x, y, 70, 70, fill, 6) + shape(`M${x} ${y + 70}l70-70v64q0 6-6 6z`, "rgba(0,0,0,0.13)");
    }),
  );
  return picture({ x: 256, y: 420, width: 380 }, box(94, 74, 324, 330, whiteShade, 8), ...tiles);
}

/** Phone booth for one person. */
export function phoneBooth(): string {
  return picture(
    { x: 256, y: 462, width: 330 },
    box(132, 48, 248, 408, graphite, 18),
    box(146, 62, 220, 380, "#2f343a", 10),
    box(152, 68, 208, 368, "#dfe9eb", 8),
    box(160, 76, 192, 352, "#cfd9d3", 4),
    box(160, 76, 192, 170, sage, 4),
    stroke("M200 80v164M240 80v164M280 80v164M320 80v164", sageDark, 2),
    disc(256, 100, 34, "#fff6d8", 8),
    box(170, 250, 120, 11, oakDark, 3),
    box(214, 330, 70, 20, petrol, 8),
    box(242, 350, 14, 62, graphiteLight, 2),
    disc(249, 414, 34, graphite, 8),
    shape("M300 76l52 0v352h-90z", "rgba(255,255,255,0.32)"),
    box(344, 232, 7, 62, steel, 3),
  );
}

/** Planter box with plants. */
export function planter(): string {
  const blade = (x: number, lean: number, height: number, fill: string): string => {
    const tip = 300 - height;
    const left = `Q${x - 16 + lean * 0.3} ${300 - height * 0.5} ${x + lean} ${tip}`;
    const right = `Q${x + 16 + lean * 0.5} ${300 - height * 0.45} ${x + 11} 300`;
    return shape(`M${x - 11} 300${left}${right}z`, fill);
  };
  return picture(
    { x: 256, y: 442, width: 330 },
    blade(170, -52, 150, leafDark),
    blade(196, -30, 200, leaf),
    blade(226, -14, 232, leafDark),
    blade(256, 6, 246, leaf),
    blade(284, 26, 226, leafDark),
    blade(312, 46, 190, leaf),
    blade(340, 66, 150, leafDark),
    blade(214, -64, 180, "#79a770"),
    blade(300, 70, 178, "#79a770"),
    box(128, 292, 256, 140, clay, 8),
    box(128, 292, 256, 22, "#a86542", 6),
    box(140, 320, 10, 100, "rgba(255,255,255,0.18)", 4),
  );
}
