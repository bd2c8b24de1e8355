<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;

/**
 * @phpstan-import-type PhoneLookup from Types
 */
final class Phone
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * Tell the network of a phone number. `GET /v4/phone/lookup`
     *
     * @param array{
     *   phone: string,
     *   country?: string,
     * } $query
     * @return PhoneLookup
     */
    public function lookUp(array $query, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/phone/lookup', query: $query, options: $options);
    }
}
