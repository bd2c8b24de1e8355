<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type Timeline from Types
 * @phpstan-import-type Transaction from Types
 */
final class Transactions
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List transactions, newest first. `GET /v4/transactions`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   type?: string,
     *   status?: string,
     *   wallet_id?: string,
     *   direction?: 'debit'|'credit',
     *   reference?: string,
     *   recipient?: string,
     *   currency?: 'NGN'|'KES'|'GHS'|'ZAR'|'USD'|'EUR'|'GBP'|'TZS'|'ZMW'|'XOF'|'XAF'|'UGX'|'RWF'|'TND'|'LYD',
     *   needs_review?: bool,
     *   amount_gte?: int,
     *   amount_lte?: int,
     *   created_gte?: string,
     *   created_lt?: string,
     *   metadata?: array<string, string>,
     * } $query
     * @return Pages<Transaction>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/transactions', query: $query, options: $options);
    }

    /**
     * Fetch a transaction by its id or by your reference; with its meter tokens and PINs for a key with the scope tokens:reveal. `GET /v4/transactions/{id}`
     *
     * @return Transaction
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/transactions/' . rawurlencode($id), options: $options);
    }

    /**
     * Cancel a purchase, a payout or a refund that nobody was asked for yet. `POST /v4/transactions/{id}/cancel`
     *
     * @return Transaction
     */
    public function cancel(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/transactions/' . rawurlencode($id) . '/cancel', options: $options);
    }

    /**
     * Ask the provider now what became of a running purchase or payout. `POST /v4/transactions/{id}/requery`
     *
     * @return Transaction
     */
    public function requery(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/transactions/' . rawurlencode($id) . '/requery', options: $options);
    }

    /**
     * Fetch what happened to a transaction, oldest first. `GET /v4/transactions/{id}/timeline`
     *
     * @return Timeline
     */
    public function getTimeline(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/transactions/' . rawurlencode($id) . '/timeline', options: $options);
    }
}
