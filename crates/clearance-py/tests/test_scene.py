"""Scenes, reports, surfaces to look at."""

import pickle

import clearance as c
import numpy as np
import pytest
from test_pairs import bodies

PARTS = [
    ("plate", c.Shape.cuboid([1, 1, 0.1]), None),
    ("rod", c.Shape.cylinder(2, 0.2), None),
    ("ball", c.Shape.sphere(0.5), [5, 0, 0]),
    ("box", c.Shape.cuboid([0.5, 0.5, 0.5]), [6.05, 0, 0]),
]


def test_findings():
    scene = c.Scene(PARTS, clearance=0.1)
    found = {finding.parts: finding for finding in scene.check()}
    assert set(found) == {("plate", "rod"), ("ball", "box")} and len(scene) == 4
    assert found["plate", "rod"].kind == "piercing" and found["ball", "box"].kind == "clearance"
    assert abs(found["ball", "box"].distance - 0.05) < 1e-9
    assert repr(scene.check(threads=1)) == repr(scene.check(threads=3))
    again = pickle.loads(pickle.dumps(scene))
    assert again.check() == scene.check() and repr(again) == repr(scene)


def test_the_report_is_one_page(tmp_path):
    assert c.Scene(PARTS, title="four parts").report(tmp_path / "out.html") == 1
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "four parts" in page and page.lstrip().lower().startswith("<!doctype html")
    with pytest.raises(c.FileError):
        c.Scene(PARTS).report(tmp_path / "nowhere" / "out.html")


def test_wrong_parts():
    for parts in [3, [3], [("a", 3, None)], [("a", c.Shape.sphere(1))]]:
        with pytest.raises(c.ClearanceError, match="parts"):
            c.Scene(parts)
    with pytest.raises(c.ClearanceError, match=r"parts\[0\].pose"):
        c.Scene([("a", c.Shape.sphere(1), [1, 2])])


@pytest.mark.parametrize("body", bodies(), ids=repr)
def test_surfaces_are_on_the_body(body):
    triangles = body.surface()
    assert triangles.shape[1:] == (3, 3) and np.isfinite(triangles).all()
    if 0 < body.volume < np.inf and body.padding == 0:
        assert len(triangles) >= 4
        for corner in triangles.reshape(-1, 3)[::17]:
            assert abs(c.project(body, None, corner).distance) < 1e-6 or not isinstance(body, c.Shape)


def test_rerun():
    rr = pytest.importorskip("rerun")
    from clearance import rerun
    from robots import arm_cell

    rr.init("test", spawn=False)
    rerun.log_body("ball", c.Shape.sphere(1), [1, 0, 0], colour=(200, 10, 10))
    rerun.log_closest("gap", c.closest(c.Shape.sphere(1), None, c.Shape.sphere(1), [3, 0, 0]))
    rerun.log_robot("arm", arm_cell(), [0.1, 0.2])
