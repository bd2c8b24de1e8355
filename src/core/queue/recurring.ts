/** Where a method keeps its schedule: shared by all copies of this file that one process may have loaded. */
export const RECURRING = Symbol.for('duka:recurring');

export interface Schedule {
  /** Unique in the process, `<module>.<verb>`: names the job in logs, metrics and the queue. */
  readonly name: string;
  readonly everyMs: number;
}

type RecurringMethod = TypedPropertyDescriptor<() => Promise<void>>;

/**
 * Runs a method of a provider again and again, in one worker process at a time as a rule. A run may start while the one
 * before still runs, and a run that was cut is repeated: the method sees to it that neither does harm.
 */
export const Recurring =
  (schedule: Schedule) =>
  (_target: object, _name: string | symbol, method: RecurringMethod): void =>
    Reflect.defineMetadata(RECURRING, schedule, method.value!);
