<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;

/**
 * @phpstan-import-type Account from Types
 */
final class Account
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * Fetch the account behind the key: name, mode, wallets and limits. `GET /v4/account`
     *
     * @return Account
     */
    public function get(?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/account', options: $options);
    }
}
