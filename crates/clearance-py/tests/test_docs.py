"""Every public function, class and method has a docstring, and the examples in them work."""

import doctest
import inspect

import clearance
from clearance import arrow, batch, exact, ray, robot

MODULES = [clearance, arrow, batch, exact, ray, robot]


def public_objects():
    for module in MODULES:
        yield module.__name__, module
        for name in (name for name in getattr(module, "__all__", []) if not name.startswith("__")):
            thing = getattr(module, name)
            yield f"{module.__name__}.{name}", thing
            if inspect.isclass(thing) and thing.__module__.startswith("clearance"):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and (callable(value) or isinstance(value, (staticmethod, property))):
                        yield f"{module.__name__}.{name}.{member}", getattr(thing, member)


def test_examples_in_docstrings():
    parser, tried, failed = doctest.DocTestParser(), 0, []
    for name, thing in public_objects():
        text = inspect.getdoc(thing) or ""
        if ">>>" in text:
            test = parser.get_doctest(text, {"clearance": clearance}, name, None, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
            result = runner.run(test, out=lambda line: print(line, end=""))
            failed += [name] * result.failed
            tried += result.attempted
    assert failed == [] and tried > 60, (failed, tried)


def test_everything_is_described():
    missing = [
        name
        for name, thing in public_objects()
        if (callable(thing) or inspect.ismodule(thing)) and not (inspect.getdoc(thing) or "").strip()
    ]
    assert missing == []
