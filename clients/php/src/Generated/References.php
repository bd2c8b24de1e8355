<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;

/**
 * @phpstan-import-type Resend from Types
 */
final class References
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * What became of a reference. `GET /v4/references/{reference}`
     *
     * @return Resend
     */
    public function get(string $reference, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/references/' . rawurlencode($reference), options: $options);
    }
}
