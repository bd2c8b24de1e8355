import { live, type LiveEvent } from './live-state';

const BACK_OFF_MS = 1_000;
const BACK_OFF_MS_MAX = 60_000;
/** The service says every 15 seconds that it is there. */
const SILENT_MS = 40_000;
/** What comes at once is told at once. */
const GATHER_MS = 250;

interface Ears {
  /** More was missed than is told again. */
  readonly onBehind: () => void;
  /** The session is over, or the role is another one. */
  readonly onSession: () => void;
}

interface Message {
  readonly data: string;
  readonly lastEventId: string;
}

/** The stream of one mode, for as long as the tab is seen. It goes on behind what it heard last. */
export class LiveConnection {
  private source: EventSource | null = null;
  private after: string | null = null;
  private failures = 0;
  private isPaused = false;
  private isClosed = false;
  private wasBroken = false;
  private heardAt: Date | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private gathering: ReturnType<typeof setTimeout> | undefined;
  private gathered: LiveEvent[] = [];

  constructor(
    private readonly livemode: boolean,
    private readonly ears: Ears,
  ) {
    document.addEventListener('visibilitychange', this.follow);
    addEventListener('online', this.follow);
  }

  /** A person wants it so. */
  pause(isPaused: boolean): void {
    this.isPaused = isPaused;
    if (isPaused) live.set({ status: 'paused', since: this.heardAt ?? new Date() });
    this.follow();
  }

  close(): void {
    this.isClosed = true;
    document.removeEventListener('visibilitychange', this.follow);
    removeEventListener('online', this.follow);
    clearTimeout(this.gathering);
    this.cut();
    live.set({ status: 'off', since: null });
  }

  /** Open while somebody looks, and never twice. */
  private readonly follow = (): void => {
    const isWanted = !this.isClosed && !this.isPaused && document.visibilityState === 'visible';
    if (!isWanted) this.cut();
    else if (this.source === null) this.open();
  };

  private cut(): void {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.source?.close();
    this.source = null;
  }

  private open(): void {
    this.cut();
    const query = new URLSearchParams({ livemode: String(this.livemode) });
    if (this.after === null) query.set('recent', 'true');
    else query.set('after', this.after);
    const source = new EventSource(`/dashboard/api/stream?${query}`);
    this.source = source;
    source.addEventListener('ready', (message) => this.ready(message));
    source.addEventListener('event', (message) => this.hear(message));
    source.addEventListener('here', () => this.listen());
    source.addEventListener('behind', this.ears.onBehind);
    source.addEventListener('end', ({ data }: Message) => this.end(data));
    source.addEventListener('error', () => this.fail());
    this.listen();
  }

  private ready({ lastEventId }: Message): void {
    // Refused with the place that was known: what happened meanwhile is not told again.
    if (this.wasBroken && this.after === null) this.ears.onBehind();
    this.failures = 0;
    this.wasBroken = false;
    this.after = lastEventId;
    this.listen();
    live.set({ status: 'live', since: null });
  }

  private hear({ data, lastEventId }: Message): void {
    this.after = lastEventId;
    this.listen();
    this.gathered.push(JSON.parse(data) as LiveEvent);
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      live.tell(this.gathered.splice(0));
    }, GATHER_MS);
  }

  private listen(): void {
    this.heardAt = new Date();
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.fail(), SILENT_MS);
  }

  private end(data: string): void {
    const { reason } = JSON.parse(data) as { reason: string };
    if (reason !== 'restart') this.ears.onSession();
    this.fail();
  }

  /** A browser does not tell why: whether the session is over is asked, and then tried again, later each time. */
  private fail(): void {
    this.cut();
    const { status, since } = live.get();
    this.failures++;
    // The place may be what is refused.
    if (this.failures > 2 && this.after !== null) this.after = null;
    this.wasBroken = true;
    live.set({ status: 'lost', since: status === 'lost' ? since : (this.heardAt ?? new Date()) });
    if (this.failures === 2 && navigator.onLine) this.ears.onSession();
    const wait = Math.min(BACK_OFF_MS * 2 ** (this.failures - 1), BACK_OFF_MS_MAX);
    this.timer = setTimeout(this.follow, wait * (0.5 + Math.random() / 2));
  }
}
