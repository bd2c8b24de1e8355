/** A route of the public API that asks a person to prove again who they are. */
interface SensitiveRoute {
  readonly method: string;
  /** As the router has it. */
  readonly route: string;
  /** Only with real money; else in both modes. */
  readonly liveOnly: boolean;
}

/** What shows a card's number, or says where facts about real money are sent and how they are signed. */
export const SENSITIVE_ROUTES: readonly SensitiveRoute[] = [
  { method: 'POST', route: '/v4/cards/:id/reveal', liveOnly: false },
  { method: 'POST', route: '/v4/webhooks', liveOnly: true },
  { method: 'PATCH', route: '/v4/webhooks/:id', liveOnly: true },
  { method: 'POST', route: '/v4/webhooks/:id/rotate-secret', liveOnly: true },
];
