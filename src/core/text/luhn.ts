/** Sum of Luhn: from the right, every second digit counts double. Only digits. */
function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((total, digit, at) => {
    const value = at % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
}

/** Whether digits could be the number of a card. */
export const passesLuhn = (digits: string): boolean => luhnSum(digits) % 10 === 0;

/** The digit that makes `body` pass, as its last. */
export const luhnDigit = (body: string): string => String((10 - (luhnSum(`${body}0`) % 10)) % 10);
