import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/clock';
import { Env } from '../../../core/config/env';
import { found } from '../../../core/errors/domain-error';
import { timeOf } from '../../../core/http/ids';
import type { StoredEvent } from '../../../core/outbox/event-log';
import { localTime } from '../../../core/text/local-time';
import { AccountsService } from '../../accounts/accounts.service';
import { AuditService } from '../audit.service';
import { InsufficientRole } from '../dashboard.errors';
import { RequestExchangeDto } from '../../request-logs/request-log.dto';
import { type RequestSender, RequestLogService } from '../../request-logs/request-log.service';
import type { SignedIn } from '../people/sessions.service';
import { type Permission, POWERS, scopesOf } from '../roles';
import { type Receipt, receiptOf } from './receipt';
import type { StepKind, StoryDto } from './story.dto';
import { StoryBooks } from './story-books';
import { type BatchRow, type Reader, type Root, SLACK_MS, StoryLinks, type Subject } from './story-links';
import {
  actorOf,
  batchStep,
  deliverySteps,
  endedStep,
  eventStep,
  inOrder,
  madeStep,
  PLATFORM,
  requestStep,
  revealStep,
  type Step,
} from './story-steps';

/** Of a longer story the beginning and the end are told, and what was asked for. */
const STEPS_MAX = 200;
const REVEALS = ['transaction.tokens_revealed'];

type Person = Pick<SignedIn, 'accountId' | 'accountName' | 'role'>;

/** What is known of everything that a story is about. */
interface Known {
  readonly reader: Reader;
  readonly subjects: readonly Subject[];
  readonly events: readonly StoredEvent[];
  readonly requests: readonly string[];
  readonly batches: readonly BatchRow[];
  readonly senders: ReadonlyMap<string, RequestSender>;
  readonly may: (permission: Permission) => boolean;
}

/** Tells what happened around an id: from the request to the last webhook. */
@Injectable()
export class StoriesService {
  constructor(
    private readonly links: StoryLinks,
    private readonly books: StoryBooks,
    private readonly requests: RequestLogService,
    private readonly audit: AuditService,
    private readonly accounts: AccountsService,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  /** By any id of it. Throws `NotFound`, `InsufficientScope`, `InsufficientRole`. */
  async of({ accountId, role }: Person, publicId: string, livemode: boolean): Promise<StoryDto> {
    const reader = { accountId, livemode, scopes: scopesOf(role, livemode) };
    const may = (permission: Permission): boolean => POWERS[role].dashboard.includes(permission);
    if (publicId.startsWith('req_') && !may('requests')) throw new InsufficientRole('requests');
    const root = await this.links.root(reader, publicId);
    const known = await this.gather(reader, root, may);
    const [steps, times] = await Promise.all([this.steps(known), this.clock.times(reader)]);
    const ordered = inOrder(steps);
    const told = within(ordered, publicId).map((step) => ({
      ...step,
      at: times?.shown(step.at) ?? step.at,
      current: isAbout(step, publicId),
    }));
    return {
      id: publicId,
      steps: told,
      total: ordered.length,
      about: known.subjects.map((subject) => subject.publicId),
      hidden: hiddenFrom(may),
    };
  }

  /** What a receipt says. Throws `NotFound`, `InsufficientScope`. */
  async receipt({ accountId, accountName, role }: Person, publicId: string, livemode: boolean): Promise<Receipt> {
    const reader = { accountId, livemode, scopes: scopesOf(role, livemode) };
    const root = await this.links.root(reader, publicId);
    const [subject] = root.about.includes(publicId) ? await this.links.subjects(reader, root) : [];
    const [{ timeZone }, times] = await Promise.all([this.accounts.require(accountId), this.clock.times(reader)]);
    const { prefix, shown } = found(subject, 'resource');
    const at = times?.shown(timeOf(root.id)) ?? timeOf(root.id);
    const facts = { id: publicId, livemode, account: accountName, at, local: `${localTime(at, timeZone)} ${timeZone}` };
    return found(receiptOf(prefix, times?.present(shown) ?? shown, facts), 'receipt');
  }

  private async gather(reader: Reader, root: Root, may: Known['may']): Promise<Known> {
    const subjects = await this.links.subjects(reader, root);
    const [about, recorded] = await Promise.all([
      this.links.eventsAbout(reader, subjects),
      this.links.requestsOf(reader, subjects),
    ]);
    const events = [...new Map([...root.events, ...about].map((event) => [event.id, event])).values()];
    const caused = events.flatMap(({ requestId }) => (requestId === null ? [] : [requestId]));
    const requests = [...new Set([...root.requests, ...recorded, ...caused])];
    const [senders, batches] = await Promise.all([
      this.requests.senders(reader, requests),
      this.links.batchRows(reader, requests, subjects),
    ]);
    const byId = new Map(senders.map((sender) => [sender.id, sender]));
    return { reader, subjects, events, requests, batches, senders: byId, may };
  }

  private async steps(known: Known): Promise<Step[]> {
    const { reader, subjects, events, batches, may } = known;
    const each = (read: (subject: Subject) => Promise<Step[]>): Promise<Step[][]> => Promise.all(subjects.map(read));
    const [said, cleared, booked, deliveries, requests, reveals] = await Promise.all([
      each((subject) => this.books.said(reader, subject)),
      each((subject) => this.books.cleared(reader, subject)),
      may('ledger') ? each((subject) => this.books.booked(reader, subject)) : [],
      this.links.deliveriesOf(reader, events),
      may('requests') ? this.requests.exchanges(reader, known.requests) : [],
      may('audit:read') ? this.revealsOf(reader, subjects) : [],
    ]);
    const actor = (requestId: string | null | undefined) =>
      actorOf(known.senders.get(requestId ?? ''), may('keys:read')) ?? PLATFORM;
    return [
      ...requests.map((request) =>
        requestStep(RequestExchangeDto.with(request, this.env.REQUEST_LOG_ANSWER_DAYS), actor(request.id)),
      ),
      ...batches.map(batchStep),
      ...subjects.map((subject) => madeStep(subject, actor(madeBy(subject, events)))),
      ...subjects.map(endedStep).filter((step) => step !== null),
      ...[...said, ...cleared, ...booked].flat(),
      ...events.map((event) => eventStep(event, actor(event.requestId))),
      ...deliveries.flatMap(deliverySteps),
      ...reveals,
    ];
  }

  private async revealsOf({ accountId }: Reader, subjects: readonly Subject[]): Promise<Step[]> {
    if (subjects.length === 0) return [];
    const since = new Date(Math.min(...subjects.map(({ id }) => timeOf(id).getTime())) - SLACK_MS);
    const targets = subjects.map(({ publicId }) => publicId);
    return (await this.audit.about(accountId, targets, REVEALS, since)).map(revealStep);
  }
}

/** Uuid of the request that its first event names. */
const madeBy = ({ id }: Subject, events: readonly StoredEvent[]): string | null | undefined =>
  events.find(({ objectId }) => objectId === id)?.requestId;

const isAbout = ({ id, kind, links }: Step, publicId: string): boolean =>
  id === publicId || (kind === 'delivery' && links[0] === publicId);

function within(steps: readonly Step[], publicId: string): readonly Step[] {
  if (steps.length <= STEPS_MAX) return steps;
  const half = STEPS_MAX / 2;
  const asked = steps.slice(half, -half).find((step) => isAbout(step, publicId));
  return [...steps.slice(0, half), ...(asked ? [asked] : []), ...steps.slice(asked ? 1 - half : -half)];
}

/** What a role does not see of stories. */
const hiddenFrom = (may: Known['may']): StepKind[] => [
  ...(may('requests') ? [] : (['request'] as const)),
  ...(may('ledger') ? [] : (['ledger'] as const)),
  ...(may('audit:read') ? [] : (['reveal'] as const)),
];
