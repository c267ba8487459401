#!/usr/bin/env python3
"""Checks that no formatter makes: which way includes point, file length, header purpose, paths."""
import re
import subprocess
import sys

MAX_LINES = 1000

# What a folder may include, besides itself. Knowledge goes one way; config is read at the edges.
ENGINE = {
    "engine/util": [],
    "engine/store": ["engine/util"],
    "engine/translog": ["engine/util", "engine/store"],
    "engine/analysis": ["engine/util"],
    "engine/codec": ["engine/util", "engine/store"],
    "engine/mapping": ["engine/util", "engine/analysis", "engine/codec"],
    "engine/index": ["engine/util", "engine/store", "engine/translog", "engine/analysis",
                     "engine/codec", "engine/mapping"],
    "engine/search": ["engine/util", "engine/analysis", "engine/codec", "engine/mapping",
                      "engine/index"],
    "engine/catalog": ["engine/util", "engine/store", "engine/translog", "engine/analysis",
                       "engine/codec", "engine/mapping", "engine/index", "engine/search"],
}
LAYERS = {
    **ENGINE,
    "config": ["engine/util"],
    "proto_utils": ["engine", "protos"],
    "handlers": ["engine", "protos", "proto_utils"],
    "server": ["engine", "protos", "proto_utils", "handlers", "config"],
    "cli": ["engine/util", "engine/store", "engine/index", "engine/translog", "engine/catalog",
            "protos"],
}
# Libraries that may not be seen from a folder.
FORBIDDEN = {"engine": re.compile(r'#include [<"](grpc|google/protobuf|protos/)')}
PATHS = re.compile(r"(?<![\w.$}])/(work|tmp/[a-z]|home/[a-z]|root|Users)/")
# Tables keyed by what clients choose have to hash with a seed: TextMap and TextSet do.
PLAIN_HASH = re.compile(r"std::hash<std::(string|string_view)>|unordered_(map|set)<std::(string|string_view)\b")
PATH_CHECKED = (".h", ".cc", ".py", ".md", ".txt", ".cmake", ".json", ".yml", ".yaml", ".proto")


def tracked():
    out = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout
    return out.splitlines()


def layer_of(path):
    return max((l for l in LAYERS if path.startswith(l + "/")), key=len, default=None)


def check_includes(path, lines, errors):
    layer = layer_of(path)
    if layer is None:
        return
    allowed = [layer] + LAYERS[layer]
    for number, line in enumerate(lines, 1):
        for top, pattern in FORBIDDEN.items():
            if path.startswith(top + "/") and pattern.search(line):
                errors.append(f"{path}:{number}: {top}/ may not see gRPC or protobuf")
        match = re.match(r'#include "((?:engine|config|server|handlers|proto_utils|protos|cli|test)/[^"]+)"', line)
        if match and not any(match[1].startswith(a + "/") for a in allowed):
            errors.append(f"{path}:{number}: {layer} may not include {match[1]}")


def check_hashes(path, lines, errors):
    if path.startswith(("test/", "bench/", "cli/")) or path == "engine/util/text_hash.h":
        return
    for number, line in enumerate(lines, 1):
        if PLAIN_HASH.search(line):
            errors.append(f"{path}:{number}: texts are hashed with engine/util/text_hash.h")


def check_header(path, lines, errors):
    if not lines or not lines[0].startswith("//"):
        errors.append(f"{path}:1: a header opens with a comment that says what it is for")
    guard = "CURLEW_" + re.sub(r"[^A-Z0-9]", "_", path.upper()) + "_"
    if not any(l.strip() == f"#ifndef {guard}" for l in lines):
        errors.append(f"{path}: the include guard should be {guard}")


def main():
    errors = []
    for path in tracked():
        source = path.endswith((".h", ".cc", ".proto", ".py")) or path.startswith("scripts/")
        if not (source or path.endswith(PATH_CHECKED)) or path.startswith("test/data/"):
            continue
        try:
            lines = open(path, encoding="utf-8").read().splitlines()
        except (FileNotFoundError, IsADirectoryError):
            continue
        except UnicodeDecodeError:
            errors.append(f"{path}: not UTF-8")
            continue
        if source and len(lines) > MAX_LINES:
            errors.append(f"{path}: {len(lines)} lines, at most {MAX_LINES} are allowed")
        if path.endswith((".h", ".cc")):
            check_includes(path, lines, errors)
            check_hashes(path, lines, errors)
        if path.endswith(".h"):
            check_header(path, lines, errors)
        if path.endswith(".proto") and not lines[0].startswith("//"):
            errors.append(f"{path}:1: opens with a comment that says what it is for")
        if path.startswith("test/cases/"):
            continue
        for number, line in enumerate(lines, 1):
            if path != "scripts/lint_sources.py" and PATHS.search(line):
                errors.append(f"{path}:{number}: an absolute path of some machine")
    for error in errors:
        print("lint:", error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
