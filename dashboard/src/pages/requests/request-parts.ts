import type { DashboardSchemas } from '../../api/dashboard-api';

type Logged = DashboardSchemas['LoggedRequest'];

export const statusText = ({ status, handled_status: handled, error_code: code }: Logged): string =>
  [String(status), handled === null ? '' : `(the client had gone; handled as ${handled})`, code ?? '']
    .filter(Boolean)
    .join(' ');

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

/** Whether what is kept as its body is the query of its address. */
export const hasQueryOnly = ({ method }: Pick<Logged, 'method'>): boolean => WITHOUT_BODY.has(method);

export interface ShownProblem {
  readonly code: string;
  readonly detail: string | null;
  readonly params: readonly { readonly param: string; readonly detail: string }[];
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const wordOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The problem that a request was answered with; its code is known also when the answer is not kept any more. */
export function problemIn({ error_code: code, answer }: DashboardSchemas['RequestDetail']): ShownProblem | null {
  if (code === null) return null;
  const said = isRecord(answer) ? answer : {};
  const errors = Array.isArray(said.errors) ? said.errors.filter(isRecord) : [];
  const fields = errors.map((error) => ({
    param: wordOf(error.param) ?? '',
    detail: wordOf(error.detail) ?? wordOf(error.message) ?? '',
  }));
  const param = wordOf(said.param);
  const isTold = param === null || fields.some((field) => field.param === param);
  return { code, detail: wordOf(said.detail), params: isTold ? fields : [{ param, detail: '' }, ...fields] };
}
