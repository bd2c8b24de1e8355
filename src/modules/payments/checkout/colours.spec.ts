import { readFileSync } from 'node:fs';
import { accentCss, contrastOf, edgeOf, SCHEMES, textOn } from './colours';

const PARTS = ['00', '10', '33', '57', '77', '80', '99', 'b3', 'cc', 'f0', 'ff'];
const COLOURS = PARTS.flatMap((r) => PARTS.flatMap((g) => PARTS.map((b) => `#${r}${g}${b}`)));

describe('an accent', () => {
  it('contrast is that of WCAG', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrastOf('#0b5c3f', '#0b5c3f')).toBe(1);
  });

  it('has text on it that can be read, whatever it is', () =>
    expect(COLOURS.filter((colour) => contrastOf(colour, textOn(colour)) < 4.5)).toEqual([]));

  it.each(Object.entries(SCHEMES))('is seen where it lies, %s', (_, scheme) =>
    expect(COLOURS.filter((colour) => contrastOf(edgeOf(colour, scheme), scheme.paper) < 3)).toEqual([]),
  );

  it('stays as it is where it is seen', () =>
    expect([edgeOf('#0b5c3f', SCHEMES.light), edgeOf('#7fd6ae', SCHEMES.dark)]).toEqual(['#0b5c3f', '#7fd6ae']));

  it('lies on the papers of the page', () => {
    const css = readFileSync('public/checkout.css', 'utf8');
    expect([...css.matchAll(/--ink: (#\w+); --paper: (#\w+)/g)].map(([, ink, paper]) => [ink, paper])).toEqual([
      [SCHEMES.light.ink, '#fff'],
      [SCHEMES.dark.ink, SCHEMES.dark.paper],
    ]);
  });

  it('is a style sheet of three colours, in light and dark', () =>
    expect(accentCss('#ffee00').match(/--[\w-]+: #[0-9a-f]{6}/g)).toEqual([
      '--strong: #ffee00',
      '--on-strong: #000000',
      expect.stringMatching(/^--edge: #(?!ffee00)/),
      '--strong: #ffee00',
      '--on-strong: #000000',
      '--edge: #ffee00',
    ]));
});
