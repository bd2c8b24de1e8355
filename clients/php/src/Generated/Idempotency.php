<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;

/**
 * @phpstan-import-type Resend from Types
 */
final class Idempotency
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * What became of an idempotency key. `GET /v4/idempotency/{key}`
     *
     * @return Resend
     */
    public function get(string $key, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/idempotency/' . rawurlencode($key), options: $options);
    }
}
