/** Of a state: without what tells ways to it apart. */
const shown = (state: string): string => /^[a-z]+\+?/.exec(state)![0];

/**
 * What everything that can come does with each state of something. A state is its status, with `+` where a person is
 * asked, and may go on with words that tell it from others of the same looks.
 */
interface StateTable<Made, Seen extends object> {
  /** All that there are. */
  readonly statuses: readonly string[];
  /** How one comes to each state. */
  readonly states: Readonly<Record<string, () => Promise<Made>>>;
  readonly inputs: Readonly<Record<string, (made: Made) => Promise<unknown>>>;
  /** The only cells in which something follows, and what. */
  readonly follows: Readonly<Record<string, Readonly<Record<string, string>>>>;
  looksOf(made: Made): Promise<{ status: string; needs_review: boolean }>;
  /** All that stands about it. */
  seen(made: Made): Promise<Seen>;
  /** What is seen after an input of which nothing follows, where something beside it changes. */
  beside?(before: Seen, state: string, input: string): Seen;
}

/** A test of each cell: what the table does not name leaves all as it stands, and tells nobody. */
export function describeStates<Made, Seen extends object>(noun: string, table: StateTable<Made, Seen>): void {
  const { statuses, states, inputs, follows } = table;
  const stateOf = async (made: Made): Promise<string> => {
    const { status, needs_review: needsReview } = await table.looksOf(made);
    return needsReview ? `${status}+` : status;
  };

  it(`covers every state of ${noun}`, () => {
    expect(new Set(Object.keys(states).map((state) => shown(state).replace('+', '')))).toEqual(new Set(statuses));
    // One that nobody could answer about, too.
    expect(Object.keys(states).map(shown)).toContain('processing+');
    expect(Object.keys(follows)).toEqual(Object.keys(states));
  });

  describe.each(Object.keys(states))(`${noun} that is %s`, (state) => {
    const enter = async (): Promise<Made> => {
      const made = await states[state]!();
      jest.restoreAllMocks();
      expect(await stateOf(made)).toBe(shown(state));
      return made;
    };

    it.each(Object.keys(inputs).filter((input) => !(input in follows[state]!)))('stays as it is: %s', async (input) => {
      const made = await enter();
      const before = await table.seen(made);
      await inputs[input]!(made);
      expect(await table.seen(made)).toEqual(table.beside?.(before, state, input) ?? before);
    });

    const inside = Object.entries(follows[state]!);
    if (inside.length > 0)
      it.each(inside)('goes on as the table says: %s, then %s', async (input, then) => {
        const made = await enter();
        await inputs[input]!(made);
        expect(await stateOf(made)).toBe(then);
      });
  });
}
