type Rgb = readonly number[];

/** Of public/checkout.css: what lies below an accent, and the ink that is mixed into one that is not seen on it. */
export const SCHEMES = {
  light: { paper: '#ffffff', ink: '#1a1d21' },
  dark: { paper: '#16191c', ink: '#eef0f2' },
} as const;

const BLACK = '#000000';
const WHITE = '#ffffff';
/** WCAG 2.2: of what is no text. */
const EDGE_CONTRAST_MIN = 3;
const STEPS = 20;

const rgbOf = (colour: string): Rgb => [...Buffer.from(colour.slice(1), 'hex')];

/** Relative luminance, as WCAG 2.2 defines it. */
function luminanceOf(colour: string): number {
  const [r, g, b] = rgbOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** From 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

/** Black or white, whichever reads better: at least 4.58 on every colour. */
export const textOn = (colour: string): string =>
  contrastOf(colour, BLACK) >= contrastOf(colour, WHITE) ? BLACK : WHITE;

function mixed(from: string, to: string, share: number): string {
  const target = rgbOf(to);
  const channels = rgbOf(from).map((channel, i) => Math.round(channel + (target[i]! - channel) * share));
  return `#${Buffer.from(channels).toString('hex')}`;
}

/** The colour itself where it stands out from the paper; else as little of the ink in it as lets it. */
export function edgeOf(colour: string, { paper, ink }: (typeof SCHEMES)[keyof typeof SCHEMES]): string {
  const shades = Array.from({ length: STEPS + 1 }, (_, step) => mixed(colour, ink, step / STEPS));
  return shades.find((shade) => contrastOf(shade, paper) >= EDGE_CONTRAST_MIN)!;
}

/** The accent of a page, `#rrggbb`, in light and dark: for fields of colour, the text on them, and outlines. */
export function accentCss(colour: string): string {
  const of = (scheme: (typeof SCHEMES)[keyof typeof SCHEMES]): string =>
    `:root { --strong: ${colour}; --on-strong: ${textOn(colour)}; --edge: ${edgeOf(colour, scheme)} }`;
  return `${of(SCHEMES.light)}\n@media screen and (prefers-color-scheme: dark) { ${of(SCHEMES.dark)} }\n`;
}
