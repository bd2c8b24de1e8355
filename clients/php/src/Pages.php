<?php

declare(strict_types=1);

namespace Duka;

/**
 * A list: `foreach` goes through all of its rows, and `page()` fetches the first of its pages only.
 *
 * @template T
 * @implements \IteratorAggregate<int, T>
 */
final class Pages implements \IteratorAggregate
{
    /**
     * @internal
     * @param \Closure(?string): array<string, mixed> $fetchPage
     */
    public function __construct(private readonly \Closure $fetchPage)
    {
    }

    /** @return array{data: list<T>, has_more: bool, next_cursor: ?string} */
    public function page(): array
    {
        return ($this->fetchPage)(null);
    }

    /** @return \Generator<int, T, void, void> */
    public function getIterator(): \Generator
    {
        $cursor = null;
        do {
            $page = ($this->fetchPage)($cursor);
            // One by one: their keys go on where those of the page before ended.
            foreach ($page['data'] as $row) {
                yield $row;
            }
            $cursor = $page['has_more'] ? $page['next_cursor'] : null;
        } while ($cursor !== null);
    }
}
