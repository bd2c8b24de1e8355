<?php

declare(strict_types=1);

namespace Duka;

use Duka\Generated\Resources;

/** A client of the service: `new Duka(apiKey: …, baseUrl: …)`. */
final class Duka extends Resources
{
    /**
     * @param string $baseUrl where the service is: `https://api.example.com`
     * @param int $timeoutMs of each attempt
     * @param int $maxRetries how often a request is sent again
     */
    public function __construct(
        #[\SensitiveParameter] string $apiKey,
        string $baseUrl,
        int $timeoutMs = 60_000,
        int $maxRetries = 3,
    ) {
        parent::__construct(new Client($apiKey, $baseUrl, $timeoutMs, $maxRetries));
    }
}
