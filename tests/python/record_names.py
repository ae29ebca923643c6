"""Records the public names of a package, which test_compat_names.py compares with weir.compat:

    python tests/python/record_names.py PACKAGE > tests/python/names/PACKAGE-VERSION.json

The result is {"package", "version", "modules": {name: {public name: null, or the class's own public attributes}}}. A
module that cannot be imported here has the reason instead of its names.
"""

import importlib
import importlib.metadata
import inspect
import json
import pkgutil
import sys


def attributes(cls, package):
    """Returns the public attributes that classes of the package define; those of pydantic's base class are left out."""
    own = [each for each in cls.__mro__ if each.__module__.partition(".")[0] == package or each is cls]
    names = {name for each in own for name in (*vars(each), *getattr(each, "__annotations__", ()))}
    return sorted(name for name in names if not name.startswith(("_", "model_")))


def names_of(module, package):
    """Returns the names in `__all__`; without it, those of the functions and classes that the module defines."""
    own = [name for name, value in vars(module).items()
           if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__]
    values = {name: getattr(module, name, None) for name in getattr(module, "__all__", own)}
    return {name: attributes(value, package) if inspect.isclass(value) else None
            for name, value in sorted(values.items())}


def record(package):
    top = importlib.import_module(package)
    modules = {}
    for name in [package, *sorted(found.name for found in pkgutil.walk_packages(top.__path__, package + "."))]:
        if any(part.startswith("_") for part in name.split(".")):
            continue
        try:
            modules[name] = names_of(importlib.import_module(name), package)
        except Exception as error:  # a module may need a GPU, or a package that is not there
            modules[name] = f"{type(error).__name__}: {str(error).splitlines()[0][:80]}"
    return {"package": package, "version": importlib.metadata.version(package), "modules": modules}


if __name__ == "__main__":
    print(json.dumps(record(sys.argv[1]), indent=1))
