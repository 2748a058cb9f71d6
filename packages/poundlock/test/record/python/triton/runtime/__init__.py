class _Drivers:
    active = None

    def set_active(self, driver):
        self.active = driver


driver = _Drivers()
