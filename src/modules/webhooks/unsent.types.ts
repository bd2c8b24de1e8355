/** Why there is no delivery of an event, and what that means. */
export const UNSENT_REASONS = {
  unknown_event: 'There is no such event in this account and mode.',
  about_itself: 'An endpoint is not told of what happens to itself.',
  before_endpoint: 'It happened before the endpoint was made. A replay of missing events sends it.',
  filtered: 'The endpoint does not listen to events of this type.',
  relay_pending: 'It is being handed over, and follows within seconds.',
  not_listening_then:
    'The endpoint listens to events of this type now, and did not then. A replay of missing events sends it.',
} as const;

export type UnsentReason = keyof typeof UNSENT_REASONS;
