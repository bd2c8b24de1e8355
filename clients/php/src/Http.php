<?php

declare(strict_types=1);

namespace Duka;

/**
 * Requests by curl. Connections are kept.
 *
 * @internal
 */
final class Http
{
    private const SECONDS_BETWEEN_LOOKS = 0.05;

    private readonly \CurlMultiHandle $connections;

    public function __construct()
    {
        $this->connections = curl_multi_init();
    }

    /**
     * @param array<string, string> $headers
     * @param ?\Closure(): bool $isAborted
     * @return array{int, int, array<string, string>, string} CURLE_OK or why not, status, headers, body
     */
    public function send(
        string $method,
        string $url,
        #[\SensitiveParameter] array $headers,
        ?string $body,
        int $timeoutMs,
        ?\Closure $isAborted,
    ): array {
        $answered = [];
        $handle = curl_init();
        curl_setopt_array($handle, [
            CURLOPT_URL => $url,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => self::lines($headers),
            CURLOPT_ENCODING => '',
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => $timeoutMs,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => function (\CurlHandle $_, string $line) use (&$answered): int {
                // Those of an interim answer are of another.
                if (str_starts_with($line, 'HTTP/')) {
                    $answered = [];
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $answered[strtolower($name)] = trim($value);
                }
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $body);
        }
        curl_multi_add_handle($this->connections, $handle);
        try {
            $failure = $this->finish($isAborted);
            $status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
            return [$failure, $status, $answered, curl_multi_getcontent($handle) ?? ''];
        } finally {
            curl_multi_remove_handle($this->connections, $handle);
        }
    }

    /** @param ?\Closure(): bool $isAborted */
    private function finish(?\Closure $isAborted): int
    {
        for (;;) {
            if ($isAborted !== null && $isAborted()) {
                throw new DukaAbortedError();
            }
            curl_multi_exec($this->connections, $running);
            $done = curl_multi_info_read($this->connections);
            if ($done !== false) {
                return $done['result'];
            }
            if (curl_multi_select($this->connections, self::SECONDS_BETWEEN_LOOKS) === -1) {
                usleep(1000);
            }
        }
    }

    /**
     * @param array<string, string> $headers
     * @return list<string>
     */
    private static function lines(#[\SensitiveParameter] array $headers): array
    {
        // Curl would wait a second for a server that does not know it.
        $lines = ['expect:'];
        foreach ($headers as $name => $value) {
            if (preg_match('/[\x00-\x1f\x7f]/', $name . $value) === 1) {
                throw new \InvalidArgumentException("The header $name has a control character.");
            }
            $lines[] = "$name: $value";
        }
        return $lines;
    }
}
