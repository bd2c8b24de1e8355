/** The SQLSTATE of an error of `pg` or TypeORM, else the code of a socket error, else null. */
export function sqlState(error: unknown): string | null {
  const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : null;
}

/** The name of the constraint that refused a row, else null. */
export function constraintOf(error: unknown): string | null {
  const { constraint, driverError } = (error ?? {}) as { constraint?: string; driverError?: { constraint?: string } };
  return driverError?.constraint ?? constraint ?? null;
}

const TRANSIENT = new Set(['40001', '40P01', '55P03']);
const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** Serialization failure, deadlock or lock time-out: the transaction is gone and may be run again. */
export const isTransient = (error: unknown): boolean => TRANSIENT.has(sqlState(error) ?? '');

/** The server or the connection went away; whether a COMMIT under way took effect is not known. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state.startsWith('08') || state.startsWith('57P') || SOCKET.has(state);
  // `pg` raises these three as plain errors without a code.
  return error instanceof Error && /connection terminated|connection ended|timeout expired|not queryable/i.test(error.message);
}

/** Runs `work` again after a transient failure, at most five times, with jitter. */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || attempt > 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
    }
  }
}
