import type {
  ContextOf,
  ExtensionPoints,
  FilterName,
  GateName,
  ObserverName,
  PointName,
  ValueOf,
  Verdict,
} from './points';
import type { Operation } from '../../vocabulary/products';

/** Where a method keeps what it extends: shared by all copies of this file that one process may have loaded. */
const EXTENDS = Symbol.for('duka:extends');

interface Common {
  /** `<team>.<what>`, unique: stands in logs, on transactions and in vetoes. */
  readonly id: `${string}.${string}`;
  /** Low first; 10 where it is not given. Equal ones go by id. */
  readonly priority?: number;
}

interface Timed {
  /** How long the handler may take; its signal is then aborted. Gates 500 ms, filters 250 ms, observers 5 s. */
  readonly timeoutMs?: number;
}

interface Shadowed {
  /** `shadow`: it runs and its result is recorded beside the real one, never used. */
  readonly mode?: 'shadow';
}

interface Selective {
  /** Only for these; all others are as if the handler did not exist. */
  readonly operations?: readonly Operation[];
}

type Options<P extends PointName> = Common &
  (ExtensionPoints[P] extends { timing: 'sync' } ? unknown : Timed) &
  (ExtensionPoints[P]['kind'] extends 'observer' ? unknown : Shadowed) &
  (ContextOf<P> extends { operation: unknown } ? Selective : unknown);

/** A handler as its decorator says it. */
export interface Declaration extends Common, Timed, Shadowed, Selective {
  readonly decorator: 'Filter' | 'OnHook';
  readonly point: string;
}

type FilterMethod<P extends FilterName> = ExtensionPoints[P] extends { timing: 'sync' }
  ? (value: ValueOf<P>, context: ContextOf<P>) => ValueOf<P>
  : (value: ValueOf<P>, context: ContextOf<P>, signal: AbortSignal) => ValueOf<P> | Promise<ValueOf<P>>;

type HookMethod<P extends GateName | ObserverName> = P extends GateName
  ? (context: ContextOf<P>, signal: AbortSignal) => Verdict | Promise<Verdict>
  : (context: ContextOf<P>, signal: AbortSignal) => void | Promise<void>;

/** A method of a provider that a value passes through. It gets frozen data and returns the value to use instead. */
export const Filter =
  <P extends FilterName>(point: P, options: Options<P>) =>
  <M extends FilterMethod<P>>(_target: object, _name: string | symbol, method: TypedPropertyDescriptor<M>): void =>
    declare(method, { ...options, decorator: 'Filter', point });

/** A method of a provider that is asked (a gate) or told (an observer). It gets frozen data. */
export const OnHook =
  <P extends GateName | ObserverName>(point: P, options: Options<P>) =>
  <M extends HookMethod<P>>(_target: object, _name: string | symbol, method: TypedPropertyDescriptor<M>): void =>
    declare(method, { ...options, decorator: 'OnHook', point });

function declare<M>({ value: method }: TypedPropertyDescriptor<M>, declaration: Declaration): void {
  Reflect.defineMetadata(EXTENDS, [...declarationsOf(method), declaration], method as object);
}

/** What a method extends; mostly nothing. */
export const declarationsOf = (method: unknown): readonly Declaration[] =>
  (Reflect.getMetadata(EXTENDS, method as object) as Declaration[] | undefined) ?? [];
