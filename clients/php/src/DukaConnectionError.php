<?php

declare(strict_types=1);

namespace Duka;

/** No whole answer came. Whether the request took effect is not known: send it again with `idempotencyKey`. */
class DukaConnectionError extends \RuntimeException
{
    /**
     * @internal
     * @param ?string $idempotencyKey the key that went with the request
     */
    final public function __construct(string $message, public readonly ?string $idempotencyKey)
    {
        parent::__construct($message);
    }
}
