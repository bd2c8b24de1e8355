interface ProblemFacts {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly fields: readonly { readonly param: string | null; readonly detail: string }[];
  readonly requestId: string | null;
}

/** A refusal by the service, as its problem document tells it. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: ProblemFacts['fields'];
  readonly requestId: string | null;

  constructor({ status, code, detail, fields, requestId }: ProblemFacts) {
    super(detail);
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.requestId = requestId;
  }

  static async of(response: Response): Promise<Problem> {
    const body: unknown = await response.json().catch(() => null);
    const problem = isRecord(body) ? body : {};
    const errors = Array.isArray(problem.errors) ? problem.errors.filter(isRecord) : [];
    return new Problem({
      status: response.status,
      code: wordOf(problem.code) ?? `http_${response.status}`,
      detail: wordOf(problem.detail) ?? wordOf(problem.title) ?? `The service answered ${response.status}.`,
      fields: errors.map((error) => ({
        param: wordOf(error.param),
        detail: wordOf(error.detail) ?? wordOf(error.message) ?? '',
      })),
      requestId: wordOf(problem.request_id) ?? response.headers.get('request-id'),
    });
  }
}

/** What a person is asked for before anything is sent. */
export class NotSent extends Error {}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const wordOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What to tell a person about anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  if (error instanceof TypeError) return 'The service cannot be reached. Check the connection and try again.';
  return error instanceof Error ? error.message : 'Something went wrong.';
}
