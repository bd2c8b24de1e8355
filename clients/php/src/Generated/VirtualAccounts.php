<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type CreateVirtualAccount from Types
 * @phpstan-import-type VirtualAccount from Types
 */
final class VirtualAccounts
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List virtual accounts, newest first. `GET /v4/virtual-accounts`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: string,
     *   kind?: 'permanent'|'one_time',
     *   wallet_id?: string,
     *   customer_id?: string,
     *   reference?: string,
     *   account_number?: string,
     *   created_gte?: string,
     *   created_lt?: string,
     * } $query
     * @return Pages<VirtualAccount>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/virtual-accounts', query: $query, options: $options);
    }

    /**
     * Open an account number: what is transferred to it is credited to a wallet. `POST /v4/virtual-accounts`
     *
     * @param CreateVirtualAccount $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return VirtualAccount
     */
    public function create(array $body, bool $dryRun = false, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/virtual-accounts', body: $body, dryRun: $dryRun, wait: $wait, options: $options);
    }

    /**
     * Fetch a virtual account. `GET /v4/virtual-accounts/{id}`
     *
     * @return VirtualAccount
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/virtual-accounts/' . rawurlencode($id), options: $options);
    }

    /**
     * Close a virtual account; what arrives all the same is held for a person. `POST /v4/virtual-accounts/{id}/close`
     *
     * @return VirtualAccount
     */
    public function close(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/virtual-accounts/' . rawurlencode($id) . '/close', options: $options);
    }
}
