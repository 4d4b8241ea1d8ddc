"""python -m rankgauge"""

from rankgauge.cli.main import main

main()
