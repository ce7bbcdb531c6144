"""Writes src/tire_inspection/models.py from the OpenAPI document. Needs requirements-check.txt.

`--check` needs nothing but Python: it tells whether the schemas are those that the file was generated from.
"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
DOCUMENT = FOLDER.parent.parent / "libs/contracts/openapi.json"
MODELS = FOLDER / "src/tire_inspection/models.py"
# The patterns and examples change no type.
LEFT_OUT = ("description", "example", "examples", "pattern")


def stripped(node: object) -> object:
    """Without texts, so that a better description needs no new file. Names of properties stay, whatever they are."""
    if isinstance(node, list):
        return [stripped(one) for one in node]
    if not isinstance(node, dict):
        return node
    kept = {name: value for name, value in node.items() if name not in LEFT_OUT or isinstance(value, dict)}
    return {
        name: {key: stripped(one) for key, one in value.items()} if name == "properties" else stripped(value)
        for name, value in kept.items()
    }


def main() -> int:
    schemas = stripped(json.loads(DOCUMENT.read_text("utf-8"))["components"]["schemas"])
    digest = hashlib.sha256(json.dumps(schemas, sort_keys=True).encode()).hexdigest()
    line = f"# Generated from the schemas of libs/contracts/openapi.json by generate.py, sha256 {digest}"
    if sys.argv[1:] == ["--check"]:
        if MODELS.read_text("utf-8").startswith(f"{line}\n"):
            return 0
        print("clients/python: the models are not those of the document; run npm run generate:python and commit.")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "schemas.json")
        document = {"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": {}}
        source.write_text(json.dumps({**document, "components": {"schemas": schemas}}), "utf-8")
        options = {
            "--input": source,
            "--input-file-type": "openapi",
            "--openapi-scopes": "schemas",
            "--output-model-type": "typing.TypedDict",
            "--target-python-version": "3.10",
            "--naming-strategy": "parent-prefixed",
            "--formatters": "builtin",
            "--custom-file-header": line,
            "--output": MODELS,
        }
        arguments = [str(part) for pair in options.items() for part in pair]
        command = [sys.executable, "-m", "datamodel_code_generator", "--disable-timestamp", *arguments]
        subprocess.run(command, check=True)
    # A type checker tells a tread from a sidewall by their fields only if nothing can extend these types.
    text = re.sub(r"^class \w+\(TypedDict\):", r"@final\n\g<0>", MODELS.read_text("utf-8"), flags=re.MULTILINE)
    text = text.replace("Literal, TypeAlias, TypedDict\n", "Literal, TypeAlias, TypedDict, final\n", 1)
    # Types are all that Python 3.10 needs it for, so the package need not depend on it.
    imported = "from typing_extensions import NotRequired\n"
    if imported in text:
        text = text.replace("from typing import ", "from typing import TYPE_CHECKING, ", 1)
        text = text.replace(imported, f"if TYPE_CHECKING:\n    {imported}")
    MODELS.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
