<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type CreatePayout from Types
 * @phpstan-import-type DryRunTransaction from Types
 * @phpstan-import-type Transaction from Types
 */
final class Payouts
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List payouts, newest first. `GET /v4/payouts`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   bank?: string,
     *   status?: string,
     *   wallet_id?: string,
     *   reference?: string,
     *   created_gte?: string,
     *   created_lt?: string,
     * } $query
     * @return Pages<Transaction>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/payouts', query: $query, options: $options);
    }

    /**
     * Send money to a bank account. `POST /v4/payouts`
     *
     * @param CreatePayout $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return ($dryRun is true ? DryRunTransaction : Transaction)
     */
    public function create(array $body, bool $dryRun = false, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/payouts', body: $body, dryRun: $dryRun, wait: $wait, options: $options);
    }

    /**
     * Fetch a payout by its id or by your reference. `GET /v4/payouts/{id}`
     *
     * @return Transaction
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/payouts/' . rawurlencode($id), options: $options);
    }
}
