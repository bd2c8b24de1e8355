const AWAY_MS = 60_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

let lastSign = Date.now();
const note = () => {
  lastSign = Date.now();
};
for (const sign of SIGNS) addEventListener(sign, note, { passive: true, capture: true });

/** Nobody has touched the page for a while: what it reads by itself then is no visit, and keeps no session alive. */
export const isUnattended = (): boolean => Date.now() - lastSign > AWAY_MS;
