<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type AuthorizationEndpoint from Types
 * @phpstan-import-type Card from Types
 * @phpstan-import-type CardReveal from Types
 * @phpstan-import-type CardTransaction from Types
 * @phpstan-import-type CardTransition from Types
 * @phpstan-import-type DryRunCard from Types
 * @phpstan-import-type DryRunTransaction from Types
 * @phpstan-import-type FundCard from Types
 * @phpstan-import-type IssueCard from Types
 * @phpstan-import-type MoveCardMoney from Types
 * @phpstan-import-type PutAuthorizationEndpoint from Types
 * @phpstan-import-type Transaction from Types
 * @phpstan-import-type UpdateCard from Types
 */
final class Cards
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List cards, newest first. `GET /v4/cards`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: string,
     *   overdrawn?: bool,
     *   needs_review?: bool,
     *   customer_id?: string,
     *   created_gte?: string,
     *   created_lt?: string,
     *   metadata?: array<string, string>,
     * } $query
     * @return Pages<Card>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/cards', query: $query, options: $options);
    }

    /**
     * Fetch the address that is asked about authorizations, and how it did. `GET /v4/cards/authorization-endpoint`
     *
     * @return AuthorizationEndpoint
     */
    public function getAuthorizationEndpoint(?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/cards/authorization-endpoint', options: $options);
    }

    /**
     * Decide about authorizations yourself: register the address that is asked, or change it. `PUT /v4/cards/authorization-endpoint`
     *
     * @param PutAuthorizationEndpoint $body
     * @return AuthorizationEndpoint
     */
    public function putAuthorizationEndpoint(array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('PUT', '/v4/cards/authorization-endpoint', body: $body, options: $options);
    }

    /**
     * Ask nobody about authorizations any more. `DELETE /v4/cards/authorization-endpoint`
     *
     * @return AuthorizationEndpoint
     */
    public function deleteAuthorizationEndpoint(?CallOptions $options = null): array
    {
        return $this->client->call('DELETE', '/v4/cards/authorization-endpoint', options: $options);
    }

    /**
     * Issue a virtual card. `POST /v4/cards/issue`
     *
     * @param IssueCard $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return ($dryRun is true ? DryRunCard : Card)
     */
    public function issue(array $body, bool $dryRun = false, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/cards/issue', body: $body, dryRun: $dryRun, wait: $wait, options: $options);
    }

    /**
     * Fetch a card and its balance. `GET /v4/cards/{id}`
     *
     * @return Card
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/cards/' . rawurlencode($id), options: $options);
    }

    /**
     * Change the label, metadata or spending controls of a card. `PATCH /v4/cards/{id}`
     *
     * @param UpdateCard $body
     * @return Card
     */
    public function update(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('PATCH', '/v4/cards/' . rawurlencode($id), body: $body, options: $options);
    }

    /**
     * Freeze a card: it declines everything until it is unfrozen. `POST /v4/cards/{id}/freeze`
     *
     * @return Card
     */
    public function freeze(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/cards/' . rawurlencode($id) . '/freeze', options: $options);
    }

    /**
     * Put money from a wallet onto a card. `POST /v4/cards/{id}/fund`
     *
     * @param FundCard $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @return ($dryRun is true ? DryRunTransaction : Transaction)
     */
    public function fund(string $id, array $body, bool $dryRun = false, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/cards/' . rawurlencode($id) . '/fund', body: $body, dryRun: $dryRun, options: $options);
    }

    /**
     * Make a link that shows number, expiry and CVV of an active card once, within 60 seconds. `POST /v4/cards/{id}/reveal`
     *
     * @return CardReveal
     */
    public function reveal(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/cards/' . rawurlencode($id) . '/reveal', options: $options);
    }

    /**
     * End a card for good; what is on it goes back to the wallet that paid it. `POST /v4/cards/{id}/terminate`
     *
     * @return Card
     */
    public function terminate(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/cards/' . rawurlencode($id) . '/terminate', options: $options);
    }

    /**
     * List what happened on a card, newest first. `GET /v4/cards/{id}/transactions`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: 'authorized'|'settled'|'voided'|'expired'|'declined'|'refunded',
     *   type?: 'authorization'|'clearing'|'refund'|'fee'|'dispute_credit'|'dispute_reversal',
     *   created_gte?: string,
     *   created_lt?: string,
     * } $query
     * @return Pages<CardTransaction>
     */
    public function listTransactions(string $id, array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/cards/' . rawurlencode($id) . '/transactions', query: $query, options: $options);
    }

    /**
     * List every change of a card's state, with who did it and why, newest first. `GET /v4/cards/{id}/transitions`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     * } $query
     * @return Pages<CardTransition>
     */
    public function listTransitions(string $id, array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/cards/' . rawurlencode($id) . '/transitions', query: $query, options: $options);
    }

    /**
     * Let a frozen card pay again. `POST /v4/cards/{id}/unfreeze`
     *
     * @return Card
     */
    public function unfreeze(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/cards/' . rawurlencode($id) . '/unfreeze', options: $options);
    }

    /**
     * Take money from a card back into a wallet. `POST /v4/cards/{id}/withdraw`
     *
     * @param MoveCardMoney $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @return ($dryRun is true ? DryRunTransaction : Transaction)
     */
    public function withdraw(string $id, array $body, bool $dryRun = false, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/cards/' . rawurlencode($id) . '/withdraw', body: $body, dryRun: $dryRun, options: $options);
    }
}
