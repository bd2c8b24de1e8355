/** A step of what is under way. */
export interface Step {
  /** Of few values: never with an id or what somebody sent. */
  readonly name: string;
  /** `client`: somebody outside is asked. */
  readonly kind?: 'client' | 'internal';
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** Traced, too, where no trace is under way. */
  readonly isRoot?: boolean;
}

/** Of a step that is under way. */
export interface Traced {
  /** To send along; says which step it was that asked. */
  readonly traceparent: string;
  note(attributes: Readonly<Record<string, string | number>>): void;
  /** It did not go well, though nothing was thrown. */
  fail(code: string): void;
}

/** A request to this service. */
export interface TracedRequest {
  /** Of the trace. */
  readonly id: string;
  /** Within its trace. */
  run(work: () => void): void;
  end(route: string, status: number): void;
}

/** A request that somebody sent, by the uuid that we gave it. */
interface Sent {
  readonly id: string;
  /** `req_…` */
  readonly publicId: string;
  readonly method: string;
  /** Their `traceparent`, which is theirs: linked to, never followed. */
  readonly traceparent?: string;
}

/** What a request led to, in another process and later. */
interface Later extends Step {
  /** Uuid of the request; null: no request did. */
  readonly requestId: string | null;
  /** What it waited for before, step by step, in the order of time. */
  readonly waits?: readonly { readonly name: string; readonly from: Date; readonly to: Date }[];
}

export interface Tracing {
  request(sent: Sent): TracedRequest;
  run<T>(step: Step, work: (traced: Traced | null) => Promise<T>): Promise<T>;
  later<T>(later: Later, work: (traced: Traced | null) => Promise<T>): Promise<T>;
  /** For lines of the log: of what is under way. */
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined;
  /** Sends what was not sent yet. */
  close(): Promise<void>;
}

/** `on` is null while nobody collects traces: then nothing of OpenTelemetry is loaded, and nothing is measured. */
export const tracing: { on: Tracing | null } = { on: null };
