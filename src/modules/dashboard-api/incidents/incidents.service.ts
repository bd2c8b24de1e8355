import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ControlCell } from '../../../core/cells/control-cell';
import { constraintOf, type Tx } from '../../../core/database/unit-of-work';
import { DomainError, found } from '../../../core/errors/domain-error';
import { encodeId, lowestIdAt, newId, timeOf } from '../../../core/http/ids';
import { type AuditEntry, AuditService } from '../audit.service';
import type { SignedIn } from '../people/sessions.service';

export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** What partners are told of. */
export interface NewIncident {
  readonly title: string;
  /** Which it concerns; none: all. */
  readonly products: readonly string[];
  readonly networks: readonly string[];
  readonly startedAt: Date | null;
  readonly state: IncidentState;
  readonly note: string;
}

export interface IncidentUpdate {
  readonly id: string;
  readonly state: IncidentState;
  readonly note: string;
  /** E-mail address of the operator. */
  readonly person: string;
}

export interface Incident extends Pick<NewIncident, 'title' | 'products' | 'networks'> {
  readonly id: string;
  readonly startedAt: Date;
  /** Null: it goes on. */
  readonly endedAt: Date | null;
  /** Newest first; never empty. */
  readonly updates: readonly IncidentUpdate[];
}

/** Nothing is said about an incident once it is over. */
class IncidentOver extends DomainError {
  constructor(id: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('inc', id)} is resolved. Open another incident.`,
      resourceId: encodeId('inc', id),
    });
  }
}

const SELECT = `
  SELECT i.id, i.title, i.products, i.networks, i.started_at AS "startedAt", u.updates
    FROM incidents i
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('id', u.id, 'state', u.state, 'note', u.note, 'person', u.person)
                      ORDER BY u.id DESC) AS updates, max(u.id::text) FILTER (WHERE u.state = 'resolved') AS ended
        FROM incident_updates u WHERE u.incident_id = i.id) u`;
/** Open ones first; what is over, by when that was. */
const SELECT_SINCE = `${SELECT}
   WHERE u.ended IS NULL OR u.ended >= $1 ORDER BY u.ended IS NOT NULL, i.started_at DESC LIMIT $2`;
const SELECT_ONE = `${SELECT} WHERE i.id = $1`;
const INSERT = `INSERT INTO incidents (id, title, products, networks, started_at) VALUES ($1, $2, $3, $4, $5)`;
const INSERT_UPDATE = `
  INSERT INTO incident_updates (incident_id, id, state, note, user_id, person)
  SELECT $1, $2, $3, $4, $5, $6
   WHERE NOT EXISTS (SELECT 1 FROM incident_updates WHERE incident_id = $1 AND state = 'resolved') RETURNING id`;

const LISTED_MAX = 200;

/** What operators tell partners while something does not work, and told them before. Only ever added to. */
@Injectable()
export class IncidentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly control: ControlCell,
  ) {}

  /** What goes on, and what ended since then. */
  async listSince(from: Date): Promise<Incident[]> {
    return (await this.dataSource.query(SELECT_SINCE, [lowestIdAt(from), LISTED_MAX])).map(incidentOf);
  }

  /** Throws `NotFound`. */
  async require(id: string | null): Promise<Incident> {
    const [row] = id === null ? [] : await this.dataSource.query(SELECT_ONE, [id]);
    return incidentOf(found(row as Row | undefined, 'incident'));
  }

  async open(me: SignedIn, { title, products, networks, startedAt, state, note }: NewIncident, ip: string) {
    this.control.requireHere();
    const id = newId();
    await this.audit.along(async (tx) => {
      await tx.query(INSERT, [id, title, products, networks, startedAt ?? timeOf(id)]);
      await this.add(tx, me, id, { state, note });
      return entryOf(me, { action: 'incident.opened', id, ip, detail: { title, products, networks, note } });
    });
    return this.require(id);
  }

  /** Throws `NotFound`, `IncidentOver`. */
  async update(me: SignedIn, id: string | null, said: Pick<IncidentUpdate, 'state' | 'note'>, ip: string) {
    this.control.requireHere();
    const incident = await this.require(id);
    const action = said.state === 'resolved' ? 'incident.ended' : 'incident.updated';
    await this.audit.along(async (tx) => {
      await this.add(tx, me, incident.id, said);
      return entryOf(me, { action, id: incident.id, ip, detail: said });
    });
    return this.require(incident.id);
  }

  private async add(
    tx: Tx,
    { userId, email }: SignedIn,
    id: string,
    { state, note }: Pick<IncidentUpdate, 'state' | 'note'>,
  ): Promise<void> {
    try {
      const rows: unknown[] = await tx.query(INSERT_UPDATE, [id, newId(), state, note, userId, email]);
      if (rows.length === 0) throw new IncidentOver(id);
    } catch (error) {
      throw constraintOf(error) === 'incident_updates_end' ? new IncidentOver(id) : error;
    }
  }
}

const entryOf = (
  { homeAccountId: accountId, userId, email: actor }: SignedIn,
  { id, ...more }: { action: string; id: string; ip: string; detail: object },
): AuditEntry => ({ accountId, userId, actor, target: encodeId('inc', id), ...more });

type Row = Omit<Incident, 'endedAt'>;

function incidentOf(row: Row): Incident {
  const end = row.updates.find(({ state }) => state === 'resolved');
  return { ...row, endedAt: end === undefined ? null : timeOf(end.id) };
}
