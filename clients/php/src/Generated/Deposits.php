<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type Deposit from Types
 */
final class Deposits
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List what arrived at virtual accounts, newest first. `GET /v4/deposits`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: string,
     *   virtual_account_id?: string,
     *   needs_review?: bool,
     *   created_gte?: string,
     *   created_lt?: string,
     * } $query
     * @return Pages<Deposit>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/deposits', query: $query, options: $options);
    }

    /**
     * Fetch a deposit. `GET /v4/deposits/{id}`
     *
     * @return Deposit
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/deposits/' . rawurlencode($id), options: $options);
    }
}
