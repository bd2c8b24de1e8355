/** What the fonts that every reader has can write. */
const PRINTABLE = /[ -~\u00a1-\u00ac\u00ae-\u00ff]/;

/** Of other letters the bare one, or a question mark. */
export const printable = (text: string): string =>
  Array.from(text.normalize('NFC'), (letter) => {
    if (PRINTABLE.test(letter)) return letter;
    const bare = letter.normalize('NFD').replaceAll(/\p{M}/gu, '');
    return bare === '' || PRINTABLE.test(bare) ? bare : '?';
  }).join('');
