<?php

// Loads every file of the client, and says which classes and shapes its declarations and PHPDoc name that are nowhere: PHP itself
// looks at neither.
declare(strict_types=1);

require getcwd() . '/vendor/autoload.php';

const SOURCE = 'vendor/duka/client/src/';

$isThere = static fn (string $name): bool => class_exists($name) || interface_exists($name) || enum_exists($name);
$said = [];
$say = static function (string $where, string $what) use (&$said): void {
    $said[] = "$where: $what";
};
/** Names of classes and shapes in a type of PHPDoc. */
$namesIn = static function (string $type): array {
    preg_match_all('/(?<![\w\'\\\\$])\\\\?[A-Z]\w*[a-z]\w*(?![\w\'?:])/', preg_replace("/'[^']*'/", '', $type), $found);
    return array_unique($found[0]);
};

preg_match_all(
    '/@phpstan-type (\w+) (.*?)(?=\n \* @phpstan-type|\n \*\/)/s',
    (new ReflectionClass(Duka\Generated\Types::class))->getDocComment(),
    $shapes,
);
$types = array_combine($shapes[1], $shapes[2]);
foreach ($types as $name => $type) {
    foreach (array_diff($namesIn($type), array_keys($types)) as $missing) {
        $say("Types::$name", $missing);
    }
}

foreach (glob(SOURCE . '{,Generated/}*.php', GLOB_BRACE) as $file) {
    $class = 'Duka\\' . strtr(substr($file, strlen(SOURCE), -4), '/', '\\');
    if (!$isThere($class)) {
        $say($file, $class);
        continue;
    }
    $reflected = new ReflectionClass($class);
    preg_match_all('/@phpstan-import-type (\w+) from/', (string) $reflected->getDocComment(), $imports);
    foreach (array_diff($imports[1], array_keys($types)) as $missing) {
        $say($class, $missing);
    }
    preg_match_all('/@template (\w+)/', (string) $reflected->getDocComment(), $templates);
    foreach ($reflected->getMethods() as $method) {
        $where = "$class::{$method->getName()}";
        $declared = array_map(static fn ($parameter) => $parameter->getType(), $method->getParameters());
        foreach ([...$declared, $method->getReturnType()] as $type) {
            $isNamed = $type instanceof ReflectionNamedType && !$type->isBuiltin();
            if ($isNamed && !in_array($type->getName(), ['self', 'static'], true) && !$isThere($type->getName())) {
                $say($where, $type->getName());
            }
        }
        preg_match_all('/@param (.*?) \$|@return (.*)/s', (string) $method->getDocComment(), $documented);
        foreach ($namesIn(implode(' ', [...$documented[1], ...$documented[2]])) as $name) {
            $known = [...$imports[1], ...$templates[1]];
            $places = [ltrim($name, '\\'), "Duka\\$name", $reflected->getNamespaceName() . "\\$name"];
            if (!in_array($name, $known, true) && array_filter($places, $isThere) === []) {
                $say($where, $name);
            }
        }
    }
}
echo count($types), ' shapes', "\n", implode("\n", $said);
