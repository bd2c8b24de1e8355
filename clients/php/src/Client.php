<?php

declare(strict_types=1);

namespace Duka;

use Duka\Generated\Resources;

/** @internal */
final class Client
{
    private const BACKOFF_MS = 500;
    private const BACKOFF_MS_MAX = 8_000;
    /** Who shall come back later than that is told so. */
    private const RETRY_AFTER_SECONDS_MAX = 60;

    private readonly string $baseUrl;
    private readonly Http $http;

    public function __construct(
        #[\SensitiveParameter] private readonly string $apiKey,
        string $baseUrl,
        private readonly int $timeoutMs,
        private readonly int $maxRetries,
    ) {
        if ($apiKey === '') {
            throw new \InvalidArgumentException('apiKey is missing');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->http = new Http();
    }

    /** @return array<string, mixed> what a dump shows: not the key */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /**
     * @param array<string, mixed> $query
     * @return Pages<mixed>
     */
    public function pages(string $path, array $query = [], ?int $wait = null, ?CallOptions $options = null): Pages
    {
        // A list that is followed goes on with a name of its own.
        $next = ($query['order'] ?? null) === 'asc' ? 'after' : 'cursor';
        return new Pages(fn (?string $cursor): array => $this->call(
            'GET',
            $path,
            query: $cursor === null ? $query : [...$query, $next => $cursor],
            wait: $wait,
            options: $options,
        ));
    }

    /**
     * @param ?array<string, mixed> $body
     * @param array<string, mixed> $query
     * @return array<string, mixed>
     */
    public function call(
        string $method,
        string $path,
        ?array $body = null,
        array $query = [],
        bool $dryRun = false,
        ?int $wait = null,
        ?CallOptions $options = null,
    ): array {
        $options ??= new CallOptions();
        $key = $method === 'GET' ? null : ($options->idempotencyKey ?? self::newKey());
        $sent = $dryRun ? [...($body ?? []), 'dry_run' => true] : $body;
        $headers = array_filter([
            'authorization' => "Bearer {$this->apiKey}",
            'accept' => 'application/json',
            'user-agent' => 'duka-php/' . Resources::VERSION,
            'content-type' => $sent === null ? null : 'application/json',
            'idempotency-key' => $key,
            'prefer' => $wait === null ? null : "wait=$wait",
            ...array_change_key_case($options->headers),
        ], is_string(...));
        $url = $this->baseUrl . $path . self::search($query);
        $text = $sent === null ? null : self::encoded($sent);
        $retriesMax = $options->maxRetries ?? $this->maxRetries;
        for ($retries = 0; ; $retries++) {
            try {
                return $this->attempt($method, $url, $headers, $text, $key, $options);
            } catch (DukaError | DukaConnectionError $error) {
                if ($retries >= $retriesMax || !self::isWorthRetrying($error)) {
                    throw $error;
                }
                self::pause(self::pauseMs($error, $retries), $options->isAborted);
            }
        }
    }

    /**
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    private function attempt(
        string $method,
        string $url,
        #[\SensitiveParameter] array $headers,
        ?string $body,
        ?string $key,
        CallOptions $options,
    ): array {
        $timeoutMs = $options->timeoutMs ?? $this->timeoutMs;
        [$failure, $status, $answered, $text] =
            $this->http->send($method, $url, $headers, $body, $timeoutMs, $options->isAborted);
        if ($failure === CURLE_OPERATION_TIMEDOUT) {
            throw new DukaTimeoutError("No answer came within $timeoutMs ms.", $key);
        }
        if ($failure !== CURLE_OK) {
            throw new DukaConnectionError('No whole answer came: ' . curl_strerror($failure) . '.', $key);
        }
        $answer = json_decode($text, true);
        if ($status < 200 || $status > 299) {
            throw new DukaError($status, $answered, is_array($answer) ? $answer : []);
        }
        return is_array($answer) ? $answer : throw new DukaConnectionError('No whole answer came.', $key);
    }

    /** Every request is safe to send again: one that changes something has its key. */
    private static function isWorthRetrying(DukaError|DukaConnectionError $error): bool
    {
        if ($error instanceof DukaConnectionError) {
            return true;
        }
        return ($error->retryAfter ?? 0) <= self::RETRY_AFTER_SECONDS_MAX
            && ($error->retryable || $error->status === 429);
    }

    private static function pauseMs(DukaError|DukaConnectionError $error, int $retries): int
    {
        $jittered = random_int(0, min(self::BACKOFF_MS_MAX, self::BACKOFF_MS * 2 ** min($retries, 10)));
        return $jittered + ($error instanceof DukaError ? 1000 * ($error->retryAfter ?? 0) : 0);
    }

    /** @param ?\Closure(): bool $isAborted */
    private static function pause(int $ms, ?\Closure $isAborted): void
    {
        $end = hrtime(true) + $ms * 1_000_000;
        while (($left = $end - hrtime(true)) > 0) {
            if ($isAborted !== null && $isAborted()) {
                throw new DukaAbortedError();
            }
            usleep((int) ceil(min($left, $isAborted === null ? $left : 50_000_000) / 1000));
        }
    }

    private static function newKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0F | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3F | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }

    /** @param array<string, mixed> $body */
    private static function encoded(array $body): string
    {
        // A fraction stays one: the service says so, instead of an amount that is another.
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION;
        return json_encode($body === [] ? new \stdClass() : self::withObjects($body), $flags);
    }

    /**
     * PHP has one word for an empty list and an empty object.
     *
     * @param array<mixed> $values
     * @return array<mixed>
     */
    private static function withObjects(array $values): array
    {
        foreach ($values as $name => $value) {
            if ($value === [] && in_array($name, Resources::OBJECTS, true)) {
                $values[$name] = new \stdClass();
            } elseif (is_array($value)) {
                $values[$name] = self::withObjects($value);
            }
        }
        return $values;
    }

    /**
     * `['limit' => 5, 'metadata' => ['order' => '1']]` → `?limit=5&metadata[order]=1`.
     *
     * @param array<string, mixed> $query
     */
    private static function search(array $query): string
    {
        array_walk_recursive($query, function (mixed &$value): void {
            $value = is_bool($value) ? var_export($value, true) : $value;
        });
        $search = http_build_query($query, '', '&', PHP_QUERY_RFC3986);
        return $search === '' ? '' : "?$search";
    }
}
