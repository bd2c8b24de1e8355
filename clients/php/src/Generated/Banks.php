<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type Bank from Types
 * @phpstan-import-type BankResolution from Types
 * @phpstan-import-type ResolveAccount from Types
 */
final class Banks
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List the banks that money can be sent to, by code. `GET /v4/banks`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   country?: string,
     *   q?: string,
     * } $query
     * @return Pages<Bank>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/banks', query: $query, options: $options);
    }

    /**
     * Ask a bank whose account it is, before paying. `POST /v4/banks/resolve`
     *
     * @param ResolveAccount $body
     * @return BankResolution
     */
    public function resolve(array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/banks/resolve', body: $body, options: $options);
    }
}
