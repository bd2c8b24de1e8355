<?php

declare(strict_types=1);

namespace Duka;

/** `isAborted` said so. Whether the request took effect is not known. */
final class DukaAbortedError extends \RuntimeException
{
    /** @internal */
    public function __construct()
    {
        parent::__construct('The call was aborted.');
    }
}
