import fc from 'fast-check';
import { answerJson } from './answer-json';

class Money {
  readonly at = new Date(0);
  constructor(private readonly units: number) {}
  toJSON(field: string): object {
    return { [field]: this.units, at: this.at };
  }
}

class Row {
  constructor(readonly at: Date) {}
}

class LateDate extends Date {
  override toJSON(): string {
    return 'late';
  }
}

const time = fc.oneof(
  fc.date({ noInvalidDate: false }),
  fc.date({ min: new Date('2026-01-01'), max: new Date('2026-12-31') }),
  fc
    .constantFrom(0, -1, 1, 86_399_999, 86_400_000, -86_400_000, 8.64e15, -8.64e15, 253_402_300_800_000, NaN)
    .map((ms) => new Date(ms)),
);
const odd = fc.oneof(
  time.map((at) => new Row(at)),
  time.map((at) => new LateDate(at)),
  time.map((at) => new Map([['at', at]])),
  time.map((at) => Object.assign(Object.create(null) as object, { at })),
  time.map((at) => ({ at, toJSON: () => ({ at }) })),
  time.map((at) => Object.assign([at], { toJSON: () => at })),
  time.map((at) => Object.assign([] as unknown[], { 1: at, 2: undefined })),
  time.map((at) => ({
    at,
    get later() {
      return at;
    },
    toJSON: 'a field',
  })),
  time.map((at) => ({ [Symbol('mark')]: at, 2: at, b: at, 1: at })),
  time.map((at) => JSON.parse(`{"__proto__":"${at.getTime()}","at":{}}`) as object),
  time.map((at) => Object.defineProperty({ at: at }, '__proto__', { value: { at }, enumerable: true })),
  time.map((at) => Object.create({ inherited: at }, { own: { value: at, enumerable: true } }) as object),
  fc.integer().map((units) => new Money(units)),
  fc.constantFrom<unknown>(undefined, Symbol('none'), () => 1, new String('text'), new Number(1), Buffer.from('bytes')),
);
const leaf = fc.oneof(time, odd, fc.constant(null), fc.boolean(), fc.double(), fc.string({ unit: 'binary' }));
const { body } = fc.letrec((tie) => ({
  body: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('body'), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 3 }), tie('body'), { maxKeys: 6, noNullPrototype: true }),
  ),
}));

it('is what JSON.stringify makes of any body', () => {
  fc.assert(
    fc.property(body, (any) => {
      expect(answerJson(any)).toBe(JSON.stringify(any));
    }),
    { numRuns: 2_000 },
  );
});

it('changes nothing of the body', () => {
  const at = new Date();
  const shared = { at, list: [at, { at }] };
  expect(answerJson({ one: shared, two: shared })).toBe(JSON.stringify({ one: shared, two: shared }));
  expect(shared).toEqual({ at, list: [at, { at }] });
});

it.each([{ amount: 1n }, [{ at: new Date(), amount: 1n }]])('refuses the same', (any) => {
  expect(() => JSON.stringify(any)).toThrow(TypeError);
  expect(() => answerJson(any)).toThrow(TypeError);
});
