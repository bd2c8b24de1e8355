import { luhnDigit, passesLuhn } from './luhn';

// Published examples: of the patent, of ISO/IEC 7812 and of card networks' test numbers.
const VALID = ['79927398713', '4242424242424242', '5555555555554444', '378282246310005', '6011111111111117'];

it.each(VALID)('%s passes, with its last digit and no other', (number) => {
  const body = number.slice(0, -1);
  expect(luhnDigit(body)).toBe(number.at(-1));
  expect(Array.from({ length: 10 }, (_, digit) => passesLuhn(`${body}${digit}`)).filter(Boolean)).toHaveLength(1);
  expect(passesLuhn(number)).toBe(true);
});
