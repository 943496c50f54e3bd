"""Pages of explanations in a headless Chromium: narrow, wide, light, dark, without a network."""

import re
import shutil
import subprocess

import numpy as np
import pytest

import structarr as sa

BROWSER = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None
)
PROBE = """<script>
const root = document.documentElement, at = id => getComputedStyle(document.querySelector(id));
const row = document.querySelector('a.chip').getAttribute('href');
location.hash = row;
const rows = [...document.querySelectorAll('tr')].map(one => one.offsetHeight);
document.title = [root.scrollWidth <= root.clientWidth, document.querySelectorAll('svg').length,
  at('.structarr').backgroundColor, at(row).backgroundColor, Math.max(...rows) < 40,
  matchMedia('(prefers-color-scheme: dark)').matches].join('|');
</script>"""


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("dark", [False, True])
def test_pages_fit_follow_the_scheme_and_mark_what_is_linked(tmp_path, width, dark):
    a = sa.asarray(np.eye(4), format="csr")
    with sa.options(tier="interpreted"):
        sa.explain(a @ a @ np.ones(4)).to_html(tmp_path / "page.html")
    page = tmp_path / "page.html"
    page.write_text(page.read_text(encoding="utf-8") + PROBE, encoding="utf-8")
    asked = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--proxy-server=127.0.0.1:9", asked]
    command = [BROWSER, *flags, f"--window-size={width},900", "--dump-dom", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    (title,) = re.findall(r"<title>(.*?)</title>", done.stdout)[:1]
    fits, drawn, ground, marked, lined, scheme = title.split("|")
    assert fits == "true" and int(drawn) > 4
    assert lined == "true"  # no row of a table is broken into many lines
    assert (scheme == "true") == dark
    assert (ground == "rgb(13, 17, 23)") == dark
    assert marked == ("rgb(75, 59, 10)" if dark else "rgb(255, 241, 194)")
