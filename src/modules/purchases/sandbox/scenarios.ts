import type { Recovery } from '../../../core/errors/domain-error';
import table from './scenarios.json';

/** What the operator says when it is asked to sell. */
type Answer = 'delivered' | 'failed' | 'timeout' | 'error' | 'garbage' | 'processing';

/** What a requery finds in the end. `settled`: what the tester decides; `never`: no answer, whenever it is asked. */
export type Ending = 'delivered' | 'failed' | 'reversed' | 'settled' | 'never';

/** How the operator tells of the ending by itself: `contradicted` says what is not true, `lost` tells nobody. */
export const CALLINGS = ['once', 'twice', 'lost', 'forged', 'contradicted'] as const;
export type Calling = (typeof CALLINGS)[number];

/** How the operator behaves towards one order. */
export interface Behaviour {
  readonly answer: Answer;
  readonly later?: Ending;
  /** Code of the refusal where `answer` or `later` is one. */
  readonly refusal?: string;
  /** Providers that refuse; the others deliver. Absent: all behave alike. */
  readonly refusedBy?: readonly string[];
  /** Half of what was asked for is delivered. */
  readonly isShort?: boolean;
  /** No provider can sell it: nobody is asked. */
  readonly isUnsellable?: boolean;
  /** Absent: it makes no callbacks, and says itself when it is to be asked about what it may take back. */
  readonly callback?: Calling;
}

/** What a partner sees in the end: a state of the transaction, or the error that the request is answered with. */
export interface FinalState {
  readonly status?: 'successful' | 'failed' | 'processing' | 'reversed';
  /** `failure.code` of the transaction. */
  readonly failure?: string;
  /** `code` of the problem document. */
  readonly error?: string;
  /** Providers that were asked. */
  readonly attempts: number;
  /** A person is called: `transaction.needs_review`. */
  readonly review?: boolean;
}

export interface PhoneOutcome extends Behaviour {
  /** The last two digits of the number. */
  readonly code: string;
  /** Beside that of the third digit from the end. */
  readonly delay?: string;
  readonly description: string;
  readonly final: FinalState;
  /** Of a data plan or a bill, where these end otherwise. */
  readonly finalIndivisible?: FinalState;
}

export interface HeaderOutcome extends Omit<Behaviour, 'later'> {
  /** The word in the header. */
  readonly outcome: string;
  /** What `then` may say. */
  readonly then: readonly Ending[];
  /** What holds when it says nothing. */
  readonly otherwise?: Ending;
  readonly description: string;
}

/** Every scenario: the operator behaves by it, the route serves it, and a test walks it. */
export interface ScenarioTable {
  /** Names of the sandbox's providers, in the order in which they are asked. */
  readonly providers: readonly string[];
  readonly refusals: Readonly<
    Record<string, { readonly message: string; readonly recovery: Recovery; readonly retryElsewhere: boolean }>
  >;
  readonly phones: {
    readonly pattern: string;
    readonly description: string;
    /** By the third digit from the end. `delay` as in the header: `20s`. */
    readonly delays: readonly { readonly digit: string; readonly delay: string }[];
    readonly outcomes: readonly PhoneOutcome[];
  };
  readonly header: {
    readonly name: string;
    readonly description: string;
    readonly example: string;
    readonly outcomes: readonly HeaderOutcome[];
  };
}

/** What an outage does to a provider: it answers nothing, too late, or every other time. */
export const OUTAGE_MODES = ['down', 'slow', 'flaky', 'none'] as const;
export type OutageMode = (typeof OUTAGE_MODES)[number];

/** What a tester may decide about a purchase. */
export const SETTLEMENTS = ['successful', 'failed', 'reversed'] as const;
export type SettledAs = (typeof SETTLEMENTS)[number];

export const SCENARIOS = table as ScenarioTable;
